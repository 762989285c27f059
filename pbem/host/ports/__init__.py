"""What the host asks of the world outside: a clock, a mailbox, a postman and a store.

Instants are whole seconds UTC since 1970 everywhere.
"""

from pbem.host.ports.environment import Clock as Clock
from pbem.host.ports.environment import Log as Log
from pbem.host.ports.environment import Stopwatch as Stopwatch
from pbem.host.ports.environment import Timepiece as Timepiece
from pbem.host.ports.incoming import Bounce as Bounce
from pbem.host.ports.incoming import Cut as Cut
from pbem.host.ports.incoming import Fate as Fate
from pbem.host.ports.incoming import Letter as Letter
from pbem.host.ports.incoming import LetterReader as LetterReader
from pbem.host.ports.incoming import Mailbox as Mailbox
from pbem.host.ports.incoming import MailboxDown as MailboxDown
from pbem.host.ports.incoming import MailFolder as MailFolder
from pbem.host.ports.incoming import Proof as Proof
from pbem.host.ports.incoming import RawLetter as RawLetter
from pbem.host.ports.incoming import Unreadable as Unreadable
from pbem.host.ports.outgoing import Attachment as Attachment
from pbem.host.ports.outgoing import Mail as Mail
from pbem.host.ports.outgoing import MailTransport as MailTransport
from pbem.host.ports.outgoing import PostDown as PostDown
from pbem.host.ports.outgoing import Undelivered as Undelivered
from pbem.host.ports.records import Address as Address
from pbem.host.ports.records import Claim as Claim
from pbem.host.ports.records import Dead as Dead
from pbem.host.ports.records import FiledOrder as FiledOrder
from pbem.host.ports.records import Game as Game
from pbem.host.ports.records import Mailed as Mailed
from pbem.host.ports.records import Member as Member
from pbem.host.ports.records import Noted as Noted
from pbem.host.ports.records import OutboxRow as OutboxRow
from pbem.host.ports.records import Person as Person
from pbem.host.ports.records import Press as Press
from pbem.host.ports.records import Slot as Slot
from pbem.host.ports.records import Vitals as Vitals
from pbem.host.ports.repository import Conflict as Conflict
from pbem.host.ports.repository import Repository as Repository
from pbem.host.ports.repository import Store as Store
from pbem.host.ports.repository import StoreDown as StoreDown
from pbem.host.ports.repository import Taken as Taken
from pbem.host.ports.repository import Unknown as Unknown

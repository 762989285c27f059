"""What our letters say, before anybody words it: plain values that the pages turn into text and HTML.

Views are the state documents of language.md, as the reader may see them, with `running` scores by seat.
"""

# One name for all of it: what is in a letter is always read beside the letter.
from pbem.host.messages.letters import *  # noqa: F403
from pbem.host.messages.parts import *  # noqa: F403
from pbem.host.messages.sections import *  # noqa: F403

"""The books: people and their addresses, in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict, replace

from pbem.adapters.store.rows import Rows, given, inserting
from pbem.adapters.store.statements import Facts
from pbem.host.ports import Address, Claim, Person, Taken, Unknown

_PERSON_AT = (
    "SELECT people.* FROM people JOIN addresses ON addresses.person = people.id WHERE addresses.address = :address"
)
_PEOPLE_AT = "SELECT count(*) FROM people WHERE address LIKE :ending"
_COUNT_ON = "SELECT setval(pg_get_serial_sequence('people', 'id'), (SELECT max(id) FROM people))"
_WAITING = (
    "SELECT people.* FROM people JOIN waiting ON waiting.person = people.id ORDER BY waiting.since, waiting.person"
)


class SqlPeople(Rows):
    """Inside one transaction."""

    def add_person(self, name: str, address: str, at: int, *, language: str = "en", zone: str = "UTC") -> Person:
        person = Person(id=0, name=name, address=address, language=language, zone=zone)
        facts = asdict(person)
        del facts["id"]
        number = self._add_person(facts)
        self._enter(Address(address=address, person=number, added=at))
        return replace(person, id=number)

    def _add_person(self, facts: Facts) -> int:
        number: int = self._run(f"{inserting('people', *facts)} RETURNING id", **facts).scalar()
        return number

    def people_at(self, domain: str) -> int:
        count: int = self._run(_PEOPLE_AT, ending=f"%@{domain}").scalar()
        return count

    def add_stranger(self, name: str, number: int | None = None) -> Person:
        person = Person(id=number or 0, name=name, address="")
        facts = asdict(person)
        if number is None:
            del facts["id"]
        made = self._add_person(facts)
        if number is not None and self._transaction.kind == "postgresql":
            self._run(_COUNT_ON)
        return replace(person, id=made)

    def person(self, person: int) -> Person | None:
        return next(iter(self._find(Person, id=person)), None)

    def person_at(self, address: str) -> Person | None:
        return next(iter(self._values(Person, _PERSON_AT, address=address)), None)

    def save_person(self, person: Person) -> None:
        facts = asdict(person)
        number = facts.pop("id")
        change = f"UPDATE people SET {given(facts, ', ')} WHERE id = :number"
        if not self._run(change, number=number, **facts).rowcount:
            raise Unknown(f"there is no person {person.id}")

    def addresses(self, person: int) -> Sequence[Address]:
        return self._find(Address, person=person)

    def save_address(self, address: Address) -> None:
        owner = self.person_at(address.address)
        if owner is not None and owner.id != address.person:
            raise Taken(f"{address.address} is somebody else's")
        self._put(address)

    def remove_address(self, address: str) -> None:
        self._remove("addresses", address=address)

    def claims(self, person: int) -> Sequence[Claim]:
        return self._find(Claim, person=person)

    def save_claim(self, claim: Claim) -> None:
        self._put(claim)

    def remove_claim(self, person: int, address: str) -> None:
        self._remove("claims", person=person, address=address)

    def waiting(self) -> Sequence[Person]:
        return self._values(Person, _WAITING)

    def wait(self, person: int, since: int) -> None:
        if all(each.id != person for each in self.waiting()):
            self._add("waiting", {"person": person, "since": since})

    def wait_no_more(self, person: int) -> None:
        self._remove("waiting", person=person)

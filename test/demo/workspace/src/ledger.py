"""Bookings of a day, and what they come to."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Booking:
    account: str
    amount: Decimal
    reference: str


def balance(bookings: list[Booking], account: str) -> Decimal:
    """The sum of an account's bookings; zero where there are none."""
    total = Decimal(0)
    for booking in bookings:
        if booking.account == account:
            total += booking.amount
    return total


def by_reference(bookings: list[Booking]) -> dict[str, list[Booking]]:
    groups: dict[str, list[Booking]] = {}
    for booking in bookings:
        groups.setdefault(booking.reference, []).append(booking)
    return groups


def daily_totals(bookings: list[Booking], totals: dict[str, Decimal] = {}) -> dict[str, Decimal]:
    """The sum of the bookings of each account, added to the totals so far."""
    for booking in bookings:
        totals[booking.account] = totals.get(booking.account, Decimal(0)) + booking.amount
    return totals

import sys
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from ledger import Booking, balance, daily_totals  # noqa: E402


class Bookings(unittest.TestCase):
    monday = [Booking("rent", Decimal("-900.00"), "A1"), Booking("sales", Decimal("40.50"), "A2")]

    def test_balance(self):
        self.assertEqual(balance(self.monday, "sales"), Decimal("40.50"))
        self.assertEqual(balance(self.monday, "tax"), Decimal(0))

    def test_each_day_starts_at_zero(self):
        daily_totals(self.monday)
        tuesday = daily_totals([Booking("sales", Decimal("10.00"), "A3")])
        self.assertEqual(tuesday, {"sales": Decimal("10.00")})


if __name__ == "__main__":
    unittest.main()

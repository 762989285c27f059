"""The books of a country: Cost, EDU, goods, debts, the record of a turn, inflation (sections 6, 7)."""

"""The rules: positions, orders, what happens of them."""

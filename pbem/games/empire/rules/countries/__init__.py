"""Between countries: offers, foundings, seizure, capture, attitudes, standing orders (sections 5, 7)."""

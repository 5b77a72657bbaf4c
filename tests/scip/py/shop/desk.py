from .carts import Cart, Ledger


def made() -> dict[str, list[Cart]]:
    return {"one": [Cart([])]}


def checkout():
    for name, carts in made().items():
        for cart in carts:
            cart.add(name)
            print(cart.total())
    pairs = [(Ledger(), 1)]
    for ledger, number in pairs:
        ledger.add(number)

from .store import Cache, Store


def main(argv):
    store = Store()
    cache = Cache()
    cache.get(argv[0])
    return store.get(argv[0])

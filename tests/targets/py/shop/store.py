class Store:
    def get(self, key):
        return self.clean(key)

    def clean(self, key):
        return key.strip()

    def Sql(self):
        return "select"


class Cache:
    def get(self, key):
        return key

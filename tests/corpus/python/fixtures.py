"""Parameters that whoever runs the tests gives."""

import pytest


class Client:
    def get(self, path):
        return path


@pytest.fixture
def client():
    return Client()


@pytest.fixture(scope="module")
def opened(client):
    with client as inner:
        yield inner


class TestClient:
    def test_get(self, client, *rest, path="/"):
        assert client.get(path)


@pytest.mark.parametrize("client", [1, 2])
def test_given(client, opened):
    assert opened.get(client)


def helper(client):
    return client.get("/")

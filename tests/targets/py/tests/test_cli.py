from shop.cli import main


def test_main():
    assert main(["a"]) == "a"

defmodule Shop.CartTest do
  use ExUnit.Case, async: true
  alias Shop.Cart

  setup do
    {:ok, cart: %Cart{}}
  end

  describe "add/2" do
    test "keeps the item", %{cart: cart} do
      assert Cart.add(cart, nil) == cart
    end
  end
end

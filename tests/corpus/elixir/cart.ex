defprotocol Shop.Priced do
  @doc "What it costs."
  def price(item)
  def tax(item, rate \\ 0.2)
end

defmodule Shop.Cart do
  @moduledoc """
  A cart of items.
  """
  use GenServer
  alias Shop.{Item, Money}
  alias Shop.Inventory.Stock, as: Warehouse
  import Ecto.Query, only: [from: 2]
  require Logger

  @behaviour Shop.Store
  @timeout 5_000
  @type t :: %__MODULE__{items: [Item.t()], owner: String.t()}
  @callback checkout(t) :: {:ok, Money.t()}
  defstruct [:owner, items: [], total: 0]

  @doc """
  Starts a cart.
  """
  @spec start_link(keyword) :: GenServer.on_start()
  def start_link(opts \\ []) do
    GenServer.start_link(__MODULE__, opts, name: __MODULE__)
  end

  @impl true
  def init(opts), do: {:ok, %__MODULE__{owner: opts[:owner]}}

  def add(%__MODULE__{} = cart, %Item{price: price}) when price > 0 do
    Logger.info("adding #{inspect(price)}")
    %{cart | items: [price | cart.items], total: cart.total + price}
  end

  def add(cart, nil), do: cart

  # Private: sums up.
  defp sum([]), do: 0
  defp sum([head | tail]), do: head + sum(tail)

  def total(cart) do
    cart.items
    |> Enum.map(&Money.amount/1)
    |> sum()
    |> then(fn value -> value * rate() end)
  end

  defmacro debug(expr) do
    quote do
      IO.inspect(unquote(expr))
    end
  end

  defguard is_paid(cart) when cart.total == 0
  defdelegate fetch(cart, id), to: Warehouse, as: :get

  defp rate, do: @timeout

  defmodule Error do
    defexception [:message]
  end

  def a + b, do: Money.add(a, b)

  def empty?(cart), do: cart == []

  def clear!, do: []
end

defimpl Shop.Priced, for: Shop.Item do
  def price(item), do: item.price
end

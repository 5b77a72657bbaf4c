defmodule Half do
  def first(x) do
    x + 1
  end

  def second(y) do
    case y do
      {:ok, value} -> first(

  def third(z), do: second(z)
end

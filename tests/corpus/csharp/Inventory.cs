using System;
using System.Collections.Generic;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;
global using System.Linq;

[assembly: InternalsVisibleTo("Shop.Tests")]

namespace Shop.Stock;

/// <summary>Raised when a shelf changes.</summary>
public delegate void ShelfChanged<in T>(object sender, T args) where T : EventArgs;

public enum Level : byte
{
    Empty,
    [Obsolete("use Empty")] None = Empty,
    Full = 1 << 3,
}

public interface IShelf<T> : IDisposable where T : class, new()
{
    int Count { get; }
    T this[int index] { get; set; }
    T? Find(string name);
    void Log(string text) => Console.WriteLine(text);
}

public record Point(int X, int Y = 0)
{
    public double Length => Sqrt(X * X + Y * Y);
}

public readonly record struct Money(decimal Amount, string Currency);

/// <summary>
/// Keeps goods.
/// </summary>
[Serializable]
[DebuggerDisplay("{Count}")]
public abstract partial class Shelf<T> : Base<T>, IShelf<T>, Api.IInner
    where T : class, new()
{
    public const int Max = 10, Min = 1;
    private static readonly Dictionary<string, List<T>> cache = new();
    private readonly IStore _store;
    protected T[] items = Array.Empty<T>(), spare;

    public event ShelfChanged<EventArgs>? Changed;
    public event EventHandler Closed
    {
        add { _store.Hook(value); }
        remove => _store.Unhook(value);
    }

    static Shelf() { Register(typeof(Shelf<>)); }

    public Shelf(IStore store, Shelf<T>? parent = null) : base(store.Name)
    {
        this._store = store ?? throw new ArgumentNullException(nameof(store));
        Changed += (sender, e) => Refresh();
    }

    ~Shelf() => Dispose(false);

    public int Count => items.Length;

    public string Name { get; private set; } = "none";

    internal T First
    {
        get { return items[0]; }
        set
        {
            items[0] = value;
            Changed?.Invoke(this, EventArgs.Empty);
        }
    }

    public T this[int index]
    {
        get => items[index];
        set => items[index] = value;
    }

    public T? Find(string name) => cache.TryGetValue(name, out var found) ? found.FirstOrDefault() : null;

    void IDisposable.Dispose() { Dispose(true); }

    protected abstract void Dispose(bool disposing);

    partial void OnRefresh();

    [Obsolete]
    public async Task<Money> PriceAsync<TKey>(TKey key, CancellationToken token = default) where TKey : IComparable<TKey>
    {
        int Add(int a, int b) => a + b;
        static string Text(object o) => o.ToString() ?? "";
        var client = new Client(_store) { Timeout = 5, Retries = Add(1, 2) };
        using var reader = await client.OpenAsync(key, token);
        foreach (var line in reader.Lines())
        {
            if (line is Order { Total: > 10 } order && order.Items[0].Price is decimal price)
                return new Money(price, order.Currency);
        }
        try { client.Send(Text(key)); }
        catch (StoreException ex) when (ex.Code == 4) { base.Log(ex.Message); }
        var query = from item in items where item != null orderby item.Name select item.Clone();
        (int left, var right) = Split();
        Point p = new(1, 2);
        return p.X switch { 0 => default(Money), _ => (Money)Json.Deserialize<Money>(query.First().ToString()!) };
    }

    public static Shelf<T> operator +(Shelf<T> a, T b) => a.With(b);
    public static explicit operator int(Shelf<T> shelf) => shelf.Count;

    private class Cursor : IEnumerator<T>
    {
        int at;
        public bool MoveNext() => ++at < 10;
    }
}

public static class ShelfExtensions
{
    public static bool IsEmpty<T>(this IShelf<T> shelf) where T : class, new() => shelf.Count == 0;
}

file class Hidden { }

namespace Pets;

/// What fills an object, and what lambdas take.
class Filled
{
    string Name;
    Func<string, Dog, int> ages = (name, dog) => dog.Age;
    Expression<Func<Dog, bool>> old = dog => dog.Age > 9;
    Dog first = new() { Name = "a" };

    Predicate<Cat> Old() { return cat => cat.Age > 9; }

    object Run(IEnumerable<Dog> dogs, List<Cat> cats, Dog last)
    {
        var dog = new Dog { Name = Name, Tail = { Length = 1 }, ["key"] = 2 };
        var other = last with { Name = "c" };
        dogs.Where(d => d.Age > 1).ToList();
        cats?.Any((c) => c.Age > 1);
        return new { Name = "d", dog.Age, other };
    }
}

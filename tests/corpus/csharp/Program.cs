#!/usr/bin/env dotnet
using Shop.Stock;

// Top-level statements.
var builder = Host.CreateBuilder(args);
builder.Services.AddSingleton<IClock, Clock>();
Console.WriteLine($"ready {builder.Name} {Describe(3)}");
await builder.Build().RunAsync();
return 0;

string Describe(int n) => n switch
{
    > 1 => "many",
    _ => "one",
};

namespace Shop
{
    namespace Web
    {
        internal sealed class Clock(ILogger<Clock> logger) : IClock
        {
#if DEBUG
            public DateTime Now => throw new NotImplementedException();
#else
            public DateTime Now => DateTime.UtcNow;
#endif
            public void Tick() => logger.LogInformation("tick");
        }
    }

    namespace Tests
    {
        [TestFixture]
        public class ClockTests
        {
            private Clock clock;

            [SetUp]
            public void Start() => clock = new Clock(null);

            [Test, Category("slow")]
            public void Ticks()
            {
                clock.Tick();
                Assert.That(clock.Now, Is.Not.Null);
            }
        }

        public class OtherTests
        {
            [Fact]
            public void Works() { }

            [Xunit.Theory]
            [InlineData(1)]
            public void Adds(int n) { }
        }
    }
}

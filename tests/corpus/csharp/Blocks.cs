namespace Shop;

public static class RequestExtensions
{
    extension(Request request)
    {
        public Request WithCookie(string name) => request.With(name);

        Request Bare() => request;
    }

    public static Request Old(this Request request) => request.WithCookie("a");
}

internal static class Hidden
{
    extension(Request request)
    {
        public Request Kept() => request;
    }
}

public class Request
{
    public Request()
    {
        void Local() { }
        Local();
    }

    public Request With(string name) => this;
}

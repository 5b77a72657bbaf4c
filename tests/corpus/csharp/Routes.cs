using Microsoft.AspNetCore.Mvc;

[ApiController]
[Route("api/[controller]")]
public class UsersController : ControllerBase
{
    [HttpGet]
    public string List() => "";

    [HttpGet("{id:int}")]
    public string One(int id) => "";

    [HttpPost, Route("make/[action]")]
    public void MakeAsync() { }

    [HttpDelete("/absolute/{id}")]
    public void Drop() { }

    [HttpGet("~/til/{id}")]
    public void Root() { }
}

public class PlainController : Controller
{
    [HttpGet]
    public string Conventional() => "";
}

public static class Program
{
    public static void Main(string[] args)
    {
        var app = builder.Build();
        app.MapGet("/", () => "hi");
        var group = app.MapGroup("/v1").RequireAuthorization();
        group.MapPost("/items", Items.Make);
        group.MapItems();
    }

    public static void MapItems(this IEndpointRouteBuilder routes)
    {
        routes.MapPut("/items/{id}", (int id) => id);
    }
}

[Route("[controller]/[action]")]
public class AccountController : Controller
{
    [HttpGet]
    public string Profile() => "";

    [HttpPost("{id}")]
    public void Close(int id) { }
}

public class SignIn : Endpoint
{
    [HttpPost("api/sign-in")]
    public string HandleAsync() => "";

    [HttpGet]
    public string Elsewhere() => "";
}

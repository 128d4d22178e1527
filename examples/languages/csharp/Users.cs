// Prints all users of a tenant. Run it in a project that `dotnet new console` has made, as its Program.cs:
// ROLLCALL_API_KEY=… dotnet run acme crm
using System.Net.Http.Headers;
using System.Text.Json;

var url = Environment.GetEnvironmentVariable("ROLLCALL_URL") ?? "http://localhost:5225";
var key = Environment.GetEnvironmentVariable("ROLLCALL_API_KEY") ?? throw new InvalidOperationException("ROLLCALL_API_KEY is missing");
using var http = new HttpClient();
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Api-Key", key);

var scope = $"tenant={Uri.EscapeDataString(args[0])}&product={Uri.EscapeDataString(args[1])}&pageLimit=100";
for (var query = scope; query != null;)
{
    using var page = JsonDocument.Parse(await http.GetStringAsync($"{url}/api/v1/directory-sync/users?{query}"));
    foreach (var user in page.RootElement.GetProperty("data").EnumerateArray())
    {
        Console.WriteLine($"{user.GetProperty("id")} {user.GetProperty("email")} {user.GetProperty("active")}");
    }
    // The token is absent on the last page; a page before it may be empty.
    var hasMore = page.RootElement.TryGetProperty("pageToken", out var token);
    query = hasMore ? $"{scope}&pageToken={Uri.EscapeDataString(token.GetString()!)}" : null;
}

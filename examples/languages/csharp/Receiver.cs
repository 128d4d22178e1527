// Receives the events of a directory. Run it in a project that `dotnet new web` has made, as its Program.cs:
// WEBHOOK_SECRET=whsec_… dotnet run
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? throw new InvalidOperationException("WEBHOOK_SECRET is missing");
// The last sequence of each directory. Keep it in your database, and change it in the transaction that Process uses.
var positions = new Dictionary<string, long>();

var app = WebApplication.Create(args);
app.MapPost("/", async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray();
    if (!IsSigned(request.Headers, body)) return Results.StatusCode(401);
    using var document = JsonDocument.Parse(body);
    var root = document.RootElement;
    var events = root.ValueKind == JsonValueKind.Array ? root.EnumerateArray().ToArray() : new[] { root }; // a list in batch mode
    foreach (var one in events)
    {
        if (!Accept(one)) return Results.StatusCode(503); // it is sent again; meanwhile read the feed, or request a resync
    }
    return Results.StatusCode(204);
});
app.Run($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "3000"}");

// Whether one of the signatures is right, and no older than five minutes.
bool IsSigned(IHeaderDictionary headers, byte[] body)
{
    string id = headers["webhook-id"].ToString(), timestamp = headers["webhook-timestamp"].ToString();
    if (!long.TryParse(timestamp, out var seconds)) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
    var key = secret.StartsWith("whsec_") ? Convert.FromBase64String(secret[6..]) : Encoding.UTF8.GetBytes(secret);
    var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
    var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
    return headers["webhook-signature"].ToString().Split(' ')
        .Any(one => CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(one)));
}

// Processes an event once and in order. Returns false if events before it are missing.
bool Accept(JsonElement one)
{
    var (type, directory) = (one.GetProperty("event").GetString(), one.GetProperty("directory_id").GetString()!);
    if (type == "endpoint.test") return true; // not part of the sequence
    var sequence = one.GetProperty("sequence").GetInt64();
    lock (positions)
    {
        var isKnown = positions.TryGetValue(directory, out var last);
        if (isKnown && sequence <= last) return true; // processed before: it was sent again
        if (isKnown && sequence > last + 1 && type != "sync.started") return false;
        Process(one);
        positions[directory] = sequence;
        return true;
    }
}

// What your product does with a change.
void Process(JsonElement one)
{
    var id = one.GetProperty("data").TryGetProperty("id", out var found) ? found.GetString() : "";
    Console.WriteLine($"{one.GetProperty("sequence")} {one.GetProperty("event")} {id}");
}

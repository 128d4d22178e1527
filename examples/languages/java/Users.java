// Prints all users of a tenant. Run it with Jackson (com.fasterxml.jackson.core:jackson-databind) on the class path:
// ROLLCALL_API_KEY=… java Users.java acme crm
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Users {
    static final String URL = System.getenv().getOrDefault("ROLLCALL_URL", "http://localhost:5225");
    static final HttpClient HTTP = HttpClient.newHttpClient();

    static JsonNode readPage(String query) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(URL + "/api/v1/directory-sync/users?" + query))
            .header("Authorization", "Api-Key " + System.getenv("ROLLCALL_API_KEY"))
            .build();
        var response = HTTP.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) throw new IOException("the service answered " + response.statusCode());
        return new ObjectMapper().readTree(response.body());
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var scope = "tenant=" + encoded(arguments[0]) + "&product=" + encoded(arguments[1]) + "&pageLimit=100";
        for (var query = scope; query != null; ) {
            var page = readPage(query);
            for (var user : page.get("data")) {
                System.out.println(user.get("id").asText() + " " + user.get("email").asText() + " " + user.get("active"));
            }
            var token = page.get("pageToken"); // absent on the last page; a page before it may be empty
            query = token == null ? null : scope + "&pageToken=" + encoded(token.asText());
        }
    }
}

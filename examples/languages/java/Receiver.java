// Receives the events of a directory. Run it with Jackson (com.fasterxml.jackson.core:jackson-databind) on the class path:
// WEBHOOK_SECRET=whsec_… java Receiver.java
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Receiver {
    static final String SECRET = System.getenv("WEBHOOK_SECRET");
    static final ObjectMapper JSON = new ObjectMapper();
    /** The last sequence of each directory. Keep it in your database, and change it in the transaction that process uses. */
    static final Map<String, Long> POSITIONS = new HashMap<>();

    /** Whether one of the signatures is right, and no older than five minutes. */
    static boolean isSigned(Headers headers, byte[] body) throws GeneralSecurityException {
        String id = headers.getFirst("webhook-id"), timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,15}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        byte[] key = SECRET.startsWith("whsec_") ? Base64.getDecoder().decode(SECRET.substring(6)) : SECRET.getBytes(UTF_8);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
        for (String one : signatures.split(" ")) {
            if (MessageDigest.isEqual(expected, one.getBytes(UTF_8))) return true; // in constant time
        }
        return false;
    }

    /** Processes an event once and in order. Returns false if events before it are missing. */
    static synchronized boolean accept(JsonNode event) {
        String type = event.get("event").asText(), directory = event.get("directory_id").asText();
        if (type.equals("endpoint.test")) return true; // not part of the sequence
        long sequence = event.get("sequence").asLong();
        Long last = POSITIONS.get(directory);
        if (last != null && sequence <= last) return true; // processed before: it was sent again
        if (last != null && sequence > last + 1 && !type.equals("sync.started")) return false;
        process(event);
        POSITIONS.put(directory, sequence);
        return true;
    }

    /** What your product does with a change. */
    static void process(JsonNode event) {
        String id = event.path("data").path("id").asText();
        System.out.println(event.get("sequence").asLong() + " " + event.get("event").asText() + " " + id);
    }

    static int statusOf(Headers headers, byte[] body) throws GeneralSecurityException, IOException {
        if (!isSigned(headers, body)) return 401;
        JsonNode events = JSON.readTree(body);
        for (JsonNode event : events.isArray() ? events : List.of(events)) { // a list in batch mode
            if (!accept(event)) return 503; // it is sent again; meanwhile read the feed, or request a resync
        }
        return 204;
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            int status = 500; // an error: it is sent again
            try {
                status = statusOf(exchange.getRequestHeaders(), exchange.getRequestBody().readAllBytes());
            } catch (GeneralSecurityException | RuntimeException error) {
                error.printStackTrace();
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }
}

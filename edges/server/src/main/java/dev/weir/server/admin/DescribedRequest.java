package dev.weir.server.admin;

import dev.weir.http.address.Ip;
import dev.weir.http.request.HttpRequest;
import dev.weir.server.decide.DecideRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request described in JSON, which was never sent: {@code {"method": "POST", "target":
 * "/login", "headers": ["X-Key: k"], "peer": "192.0.2.1"}}.
 */
record DescribedRequest(
    String method, String target, Map<String, List<String>> headers, String peer)
    implements HttpRequest {
  private static final Set<String> KEYS = Set.of("method", "target", "headers", "peer");
  private static final int MAX_HEADERS = 100;
  private static final int MAX_CHARS = 8_192;
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]{1,100}");
  private static final Pattern TARGET = Pattern.compile("/\\S*|https?://\\S+|\\*");
  private static final Pattern FIELD =
      Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]+:[\\P{Cntrl}\t]*");

  /**
   * Parses a description.
   *
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  static DescribedRequest parse(@Nullable Object json) {
    if (!(json instanceof JsonObject object)) {
      throw DecideRequest.refused("request", json, "an object with method and target");
    }
    for (String key : object.fieldNames()) {
      if (!KEYS.contains(key)) {
        throw DecideRequest.refused("request", key, "method, target, headers, peer");
      }
    }
    String method = text(object, "method", TOKEN, "a method, such as GET");
    String target = text(object, "target", TARGET, "a path, such as /login?next=a");
    Object given = object.getValue("peer", "127.0.0.1");
    Ip peer = given instanceof String text ? Ip.parse(text) : null;
    if (peer == null) {
      throw DecideRequest.refused("request.peer", given, "an IPv4 or IPv6 address");
    }
    return new DescribedRequest(method, target, headers(object), peer.toString());
  }

  private static String text(JsonObject object, String name, Pattern form, String expected) {
    Object value = object.getValue(name);
    if (value instanceof String text
        && text.length() <= MAX_CHARS
        && form.matcher(text).matches()) {
      return text;
    }
    throw DecideRequest.refused("request." + name, value, expected);
  }

  private static Map<String, List<String>> headers(JsonObject object) {
    Map<String, List<String>> headers = new TreeMap<>();
    Object given = object.getValue("headers", new JsonArray());
    if (!(given instanceof JsonArray array)) {
      throw DecideRequest.refused("request.headers", given, "a list, such as [\"X-Key: k\"]");
    }
    if (array.size() > MAX_HEADERS) {
      throw DecideRequest.refused("request.headers", array.size(), "at most " + MAX_HEADERS);
    }
    for (Object one : array) {
      if (!(one instanceof String field)
          || field.length() > MAX_CHARS
          || !FIELD.matcher(field).matches()) {
        // The value is not shown: it may be a token.
        String expected = "texts such as \"X-Key: k\", each of at most " + MAX_CHARS;
        throw DecideRequest.refused("request.headers", "not a header", expected);
      }
      int colon = field.indexOf(':');
      headers
          .computeIfAbsent(
              field.substring(0, colon).toLowerCase(Locale.ROOT), absent -> new ArrayList<>())
          .add(field.substring(colon + 1).strip());
    }
    return headers;
  }

  @Override
  public @Nullable String authority() {
    List<String> hosts = headers("host");
    return hosts.isEmpty() ? null : String.join(", ", Set.copyOf(hosts)); // two make no valid host
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }
}

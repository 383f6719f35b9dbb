package dev.weir.load.traffic;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request in an access log, in the common or combined format, or as JSON with the names of
 * NGINX's variables.
 *
 * @param client the address or name of the client
 */
record AccessLogLine(String client, String method, String target) {
  /** {@code 203.0.113.7 - - [18/Nov/2026:08:00:00 +0000] "GET /hello HTTP/1.1" 200 …}. */
  private static final Pattern COMMON =
      Pattern.compile(
          "(\\S+) \\S+ .*?\\[[^]]*] \"([A-Z]+) (\\S+)(?: HTTP/[0-9.]+)?\" [0-9]{3}\\b.*");

  private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]+) (\\S+)(?: HTTP/[0-9.]+)?");

  /** Parses a line; empty if it is not a request in one of the formats. */
  static Optional<AccessLogLine> parse(String line) {
    if (line.startsWith("{")) {
      return json(line);
    }
    Matcher common = COMMON.matcher(line);
    return common.matches()
        ? of(common.group(1), common.group(2), common.group(3))
        : Optional.empty();
  }

  private static Optional<AccessLogLine> json(String line) {
    try {
      JsonObject fields = new JsonObject(line);
      String client = first(fields, "remote_addr", "client", "client_ip");
      String request = first(fields, "request");
      if (request != null) {
        Matcher parts = REQUEST_LINE.matcher(request);
        return parts.matches() ? of(client, parts.group(1), parts.group(2)) : Optional.empty();
      }
      String method = first(fields, "request_method", "method");
      return of(client, method, first(fields, "request_uri", "uri", "path"));
    } catch (DecodeException e) {
      return Optional.empty();
    }
  }

  private static @Nullable String first(JsonObject fields, String... names) {
    for (String name : names) {
      if (fields.getValue(name) instanceof String text) {
        return text;
      }
    }
    return null;
  }

  private static Optional<AccessLogLine> of(
      @Nullable String client, @Nullable String method, @Nullable String target) {
    if (method == null || target == null || !target.matches("/[!-~]*")) {
      return Optional.empty();
    }
    return Optional.of(new AccessLogLine(client == null ? "" : client, method, target));
  }
}

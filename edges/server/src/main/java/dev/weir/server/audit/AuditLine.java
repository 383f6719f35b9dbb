package dev.weir.server.audit;

import dev.weir.server.access.Operator;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line of the audit log: a JSON object in printable ASCII. */
final class AuditLine {
  /** The maximum length of a line; the service's log cuts lines that are longer. */
  static final int MAX_CHARS = 12_288;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private AuditLine() {}

  /** What somebody who was authenticated did. */
  static String of(Instant time, Operator who, String event, JsonObject details) {
    return of(time, who.name(), who.role().label(), who.address(), event, details);
  }

  /** What somebody unknown did. */
  static String ofUnknown(Instant time, String address, String event, JsonObject details) {
    return of(time, null, "none", address, event, details);
  }

  private static String of(
      Instant time,
      @Nullable String who,
      String role,
      String address,
      String event,
      JsonObject details) {
    JsonObject line =
        new JsonObject()
            .put("time", TIME.format(time))
            .put("who", who)
            .put("role", role)
            .put("address", address)
            .put("event", event);
    String whole = ascii(line.copy().put("details", details).encode());
    return whole.length() <= MAX_CHARS
        ? whole
        : ascii(line.put("detailsOmitted", whole.length() + " characters").encode());
  }

  /**
   * Escapes what is not printable ASCII. JSON escapes the control characters of ASCII itself; but
   * there are others that end a line, move a cursor, or reverse the direction of text.
   */
  private static String ascii(String json) {
    StringBuilder out = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c >= ' ' && c < 0x7f) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return out.toString();
  }
}

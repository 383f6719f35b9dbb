package dev.weir.gateway.log;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a line of the access log is written. */
public enum AccessFormat {
  /** One JSON object on a line. */
  JSON,
  /**
   * The combined format of Apache and NGINX, followed by the rule, the upstream, the time in
   * seconds and the request's identifier.
   */
  COMMON;

  private static final DateTimeFormatter COMMON_TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final int MAX_CHARS = 8 << 10;

  /** The line for a request, without its end. No text of a client can break the line. */
  public String line(AccessEntry entry) {
    return this == JSON ? json(entry) : common(entry);
  }

  private static String json(AccessEntry entry) {
    StringBuilder out = new StringBuilder(512);
    out.append("{\"time\":\"").append(entry.time()).append('"');
    AccessEntry.Request request = entry.request();
    text(out, "client", request.client());
    text(out, "method", request.method());
    text(out, "target", request.target());
    text(out, "protocol", request.protocol());
    text(out, "host", request.host());
    number(out, "status", entry.response().status());
    text(out, "outcome", entry.outcome());
    text(out, "rule", entry.rule());
    text(out, "upstream", entry.upstream().name());
    text(out, "server", entry.upstream().server());
    number(out, "micros", entry.response().micros());
    number(out, "waitMillis", entry.response().waitMillis());
    number(out, "requestBytes", entry.response().requestBytes());
    number(out, "responseBytes", entry.response().responseBytes());
    text(out, "referer", request.referer());
    text(out, "userAgent", request.userAgent());
    text(out, "requestId", entry.ids().requestId());
    text(out, "traceId", entry.ids().traceId());
    return out.append('}').toString();
  }

  private static void number(StringBuilder out, String name, long value) {
    out.append(",\"").append(name).append("\":").append(value);
  }

  private static void text(StringBuilder out, String name, @Nullable String value) {
    if (value != null) {
      out.append(",\"").append(name).append("\":\"");
      escape(out, value);
      out.append('"');
    }
  }

  private static String common(AccessEntry entry) {
    AccessEntry.Request request = entry.request();
    StringBuilder out = new StringBuilder(256);
    out.append(request.client() == null ? "-" : request.client()).append(" - - [");
    out.append(COMMON_TIME.format(entry.time())).append("] \"");
    escape(out, request.method());
    out.append(' ');
    escape(out, request.target());
    out.append(' ').append(request.protocol()).append("\" ").append(entry.response().status());
    out.append(' ').append(entry.response().responseBytes());
    quoted(out, request.referer());
    quoted(out, request.userAgent());
    out.append(' ').append(entry.rule() == null ? "-" : entry.rule());
    out.append(' ').append(entry.upstream().name() == null ? "-" : entry.upstream().name());
    out.append(' ').append(String.format(Locale.ROOT, "%.6f", entry.response().micros() / 1e6));
    out.append(' ').append(entry.ids().requestId());
    return out.toString();
  }

  private static void quoted(StringBuilder out, @Nullable String value) {
    out.append(" \"");
    escape(out, value == null ? "-" : value);
    out.append('"');
  }

  /** Escapes as in JSON, which readers of the other format understand too. */
  private static void escape(StringBuilder out, String text) {
    for (int i = 0; i < Math.min(text.length(), MAX_CHARS); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c >= 0x7f) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
  }
}

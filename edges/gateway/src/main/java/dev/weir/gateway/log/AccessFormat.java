package dev.weir.gateway.log;

import dev.weir.server.log.LogFormat;
import dev.weir.server.log.LogLine;
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

  /** The line for a request, without its end. No text of a client can break the line. */
  public String line(AccessEntry entry) {
    return this == JSON ? json(entry) : common(entry);
  }

  private static String json(AccessEntry entry) {
    AccessEntry.Request request = entry.request();
    return new LogLine(LogFormat.JSON, entry.time())
        .text("client", request.client())
        .text("method", request.method())
        .text("target", request.target())
        .text("protocol", request.protocol())
        .text("host", request.host())
        .number("status", entry.response().status())
        .text("outcome", entry.outcome())
        .text("rule", entry.rule())
        .text("upstream", entry.upstream().name())
        .text("server", entry.upstream().server())
        .number("micros", entry.response().micros())
        .number("waitMillis", entry.response().waitMillis())
        .number("requestBytes", entry.response().requestBytes())
        .number("responseBytes", entry.response().responseBytes())
        .text("referer", request.referer())
        .text("userAgent", request.userAgent())
        .text("requestId", entry.ids().requestId())
        .text("traceId", entry.ids().traceId())
        .toString();
  }

  private static String common(AccessEntry entry) {
    AccessEntry.Request request = entry.request();
    StringBuilder out = new StringBuilder(256);
    out.append(request.client() == null ? "-" : request.client()).append(" - - [");
    out.append(COMMON_TIME.format(entry.time())).append("] \"");
    LogLine.escape(out, request.method());
    out.append(' ');
    LogLine.escape(out, request.target());
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
    LogLine.escape(out, value == null ? "-" : value);
    out.append('"');
  }
}

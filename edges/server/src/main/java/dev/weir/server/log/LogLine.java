package dev.weir.server.log;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Builds one line of a log from names and values. No text can break the line or move a cursor: what
 * is not visible ASCII is written as its number. Not thread-safe.
 */
public final class LogLine {
  private static final int MAX_CHARS = 8 << 10;

  /** In UTC with milliseconds; needs no time zone data, which would be read on first use. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final HexFormat HEX = HexFormat.of();

  private final boolean json;
  private final StringBuilder out = new StringBuilder(256);

  /** Begins a line about something that happened at a time. */
  public LogLine(LogFormat format, Instant time) {
    this.json = format == LogFormat.JSON;
    out.append(json ? "{\"time\":\"" : "");
    TIME.formatTo(time, out);
    out.append(json ? "\"" : "");
  }

  /** Adds a text; none if it is null. */
  public LogLine text(String name, @Nullable String value) {
    if (value == null) {
      return this;
    }
    name(name);
    boolean quoted = json || !isPlain(value);
    out.append(quoted ? "\"" : "");
    escape(out, value);
    out.append(quoted ? "\"" : "");
    return this;
  }

  /** Adds a number. */
  public LogLine number(String name, long value) {
    name(name);
    out.append(value);
    return this;
  }

  private void name(String name) {
    if (json) {
      out.append(",\"").append(name).append("\":");
    } else {
      out.append(' ').append(name).append('=');
    }
  }

  /** Whether a value can stand without quotes: a reader that splits at spaces finds it whole. */
  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=') {
        return false;
      }
    }
    return !value.isEmpty();
  }

  /** Appends text as inside the quotes of JSON, which readers of other formats understand too. */
  public static void escape(StringBuilder out, String text) {
    for (int i = 0; i < Math.min(text.length(), MAX_CHARS); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c >= 0x7f) {
        out.append("\\u").append(HEX.toHexDigits(c));
      } else {
        out.append(c);
      }
    }
  }

  /** The line, without its end. */
  @Override
  public String toString() {
    return json ? out + "}" : out.toString();
  }
}

package dev.weir.replay.log.table;

import dev.weir.replay.log.line.Bytes;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.FieldLookup;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.Role;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The columns that a {@code #Fields} directive names. Immutable. */
final class Columns implements FieldLookup {
  static final int MAX = 256;

  private final Field[] fields;
  private final byte delimiter;

  Columns(String[] names, boolean tabs, HeaderNames headers) {
    delimiter = (byte) (tabs ? '\t' : ' ');
    fields = new Field[Math.min(MAX, names.length)];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = field(names[i].toLowerCase(Locale.ROOT), tabs, headers);
    }
  }

  /** CloudFront separates by tabs, and percent-encodes what it takes from headers. */
  private static Field field(String name, boolean tabs, HeaderNames headers) {
    return switch (name) {
      case "time" -> Field.of(name, Role.COMPLETION, Form.CLOCK_TIME);
      case "date" -> Field.of(name, Role.DATE, Form.TEXT);
      case "timestamp" -> Field.of(name, Role.COMPLETION, Form.ANY_TIME, 1);
      case "time-taken" -> Field.of(name, Role.DURATION, Form.ANY_DURATION);
      case "c-ip" -> Field.of(name, Role.CLIENT, Form.TEXT);
      case "cs-username" -> Field.of(name, Role.USER, Form.TEXT);
      case "cs-method" -> Field.of(name, Role.METHOD, Form.TEXT);
      case "cs-uri-stem" -> Field.of(name, Role.TARGET, Form.TEXT, 0);
      case "cs-uri" -> Field.of(name, Role.TARGET, Form.TEXT, 1);
      case "cs-uri-query" -> Field.of(name, Role.QUERY, Form.TEXT);
      case "x-host-header" -> Field.of(name, Role.HOST, Form.TEXT, 0);
      case "cs-host", "cs(host)" -> Field.of(name, Role.HOST, Form.TEXT, 1);
      case "sc-status" -> Field.of(name, Role.STATUS, Form.TEXT);
      case "x-forwarded-for" -> Field.header(name, name, tabs ? Form.PERCENT : Form.TEXT, headers);
      default -> {
        if (name.startsWith("cs(") && name.endsWith(")")) {
          String header = name.substring("cs(".length(), name.length() - 1);
          yield Field.header(name, header, tabs ? Form.PERCENT : Form.PLUS, headers);
        }
        yield Field.named(name);
      }
    };
  }

  int size() {
    return fields.length;
  }

  Field field(int index) {
    return fields[index];
  }

  /** Where the value that starts at {@code at} ends; a quoted one has its quotes. */
  int end(byte[] bytes, int at, int to) {
    if (at < to && bytes[at] == '"' && delimiter == ' ') {
      int quote = Bytes.indexOf(bytes, at + 1, to, '"');
      if (quote >= 0 && (quote + 1 == to || bytes[quote + 1] == delimiter)) {
        return quote + 1;
      }
    }
    int end = Bytes.indexOf(bytes, at, to, delimiter);
    return end < 0 ? to : end;
  }

  @Override
  public @Nullable String find(byte[] line, String name) {
    int at = 0;
    for (int i = 0; i < fields.length && at <= line.length; i++) {
      int end = end(line, at, line.length);
      if (fields[i].name().equalsIgnoreCase(name)) {
        return Bytes.isAbsent(line, at, end) ? null : FieldLookup.text(line, at, end, false);
      }
      at = end + 1;
    }
    return null;
  }
}

package dev.weir.replay.log.template;

import dev.weir.replay.log.line.Bytes;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.Role;
import java.nio.charset.StandardCharsets;

/** A field and the literal that ends it. Immutable. */
final class Part {
  private static final byte[] PROTOCOL = " HTTP/".getBytes(StandardCharsets.US_ASCII);

  private final Field field;
  private final byte[] until;
  private final boolean escaped;

  /**
   * A part.
   *
   * @param until the literal; empty if the end of the line is its end
   * @param escaped whether a quote inside of a value has a backslash before it
   */
  Part(Field field, byte[] until, boolean escaped) {
    this.field = field;
    this.until = until;
    this.escaped = escaped;
  }

  Field field() {
    return field;
  }

  byte[] until() {
    return until;
  }

  /** Where the value ends; -1 if its end is not there. */
  int end(byte[] bytes, int at, int to) {
    int start = at + field.minLength();
    if (start > to) {
      return -1;
    }
    if (until.length == 0) {
      return !mayHaveSpaces() && Bytes.indexOf(bytes, start, to, ' ') >= 0 ? -1 : to;
    }
    if (escaped && until[0] == '"') {
      return quoteEnd(bytes, start, to);
    }
    if (until[0] == ' ' && field.role() == Role.REQUEST) {
      int protocol = Bytes.indexOf(bytes, start, to, PROTOCOL);
      return Bytes.indexOf(bytes, protocol < 0 ? start : protocol + 1, to, until);
    }
    int end = Bytes.indexOf(bytes, start, to, until);
    if (field.form() == Form.LIST && until[0] == ' ') {
      while (end > at && continues(bytes, end, to)) {
        end = Bytes.indexOf(bytes, end + 1, to, until);
      }
    }
    return end;
  }

  private boolean mayHaveSpaces() {
    return switch (field.role()) {
      case HEADER, REQUEST, TARGET, USER -> true;
      default -> field.form() == Form.LIST || field.minLength() > 0;
    };
  }

  private int quoteEnd(byte[] bytes, int start, int to) {
    int at = Bytes.indexOf(bytes, start, to, '"');
    while (at >= 0) {
      int slashes = at;
      while (slashes > start && bytes[slashes - 1] == '\\') {
        slashes--;
      }
      if ((at - slashes) % 2 == 0) {
        return Bytes.isAt(bytes, at, to, until) ? at : -1;
      }
      at = Bytes.indexOf(bytes, at + 1, to, '"');
    }
    return -1;
  }

  /** Whether a space is between the values of two upstreams: {@code 0.1, 0.2 : 0.3}. */
  private static boolean continues(byte[] bytes, int space, int to) {
    byte before = bytes[space - 1];
    boolean colon = space + 2 < to && bytes[space + 1] == ':' && bytes[space + 2] == ' ';
    return before == ',' || before == ':' || colon;
  }
}

package dev.weir.replay.log.template;

import dev.weir.replay.log.line.Bytes;
import dev.weir.replay.log.line.Draft;
import dev.weir.replay.log.line.FieldLookup;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LineParser;
import dev.weir.replay.log.line.LogFormat;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A format that is a text with fields in it. Immutable, and safe for use by any number of threads:
 * its parsers keep nothing from one line to the next.
 *
 * <p>Each field ends where the literal behind it begins; nothing is ever tried twice, so that the
 * time for a line grows with its length only, whatever it has.
 */
final class Template implements LogFormat, LineParser, FieldLookup {
  private final String name;
  private final byte[] prefix;
  private final Part[] parts;
  private final HeaderNames headers;
  private final boolean escaped;
  private final int required;

  /**
   * A template.
   *
   * @param required how many parts a line must have; if not all, it may also have more than all
   */
  Template(
      String name,
      byte[] prefix,
      Part[] parts,
      HeaderNames headers,
      boolean escaped,
      int required) {
    this.name = name;
    this.prefix = prefix;
    this.parts = parts;
    this.headers = headers;
    this.escaped = escaped;
    this.required = required;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LineParser parser() {
    return this;
  }

  @Override
  public HeaderNames headers() {
    return headers;
  }

  @Override
  public boolean parse(Draft draft) {
    byte[] bytes = draft.bytes();
    int to = draft.to();
    int at = draft.from();
    if (!Bytes.isAt(bytes, at, to, prefix)) {
      return fail(draft, at, prefix, "at the start");
    }
    at += prefix.length;
    for (int i = 0; i < parts.length; i++) {
      Part part = parts[i];
      int end = part.end(bytes, at, to);
      if (end < 0) {
        if (i < required) {
          return fail(draft, at, part.until(), "after " + part.field().name());
        }
        break;
      }
      draft.put(part.field(), at, end);
      at = end + part.until().length;
    }
    if (at < to && required == parts.length) {
      return tooLong(draft, at);
    }
    if (escaped && Bytes.indexOf(bytes, draft.from(), to, '\\') >= 0) {
      draft.escaped();
    }
    draft.lookup(this);
    return true;
  }

  private static boolean fail(Draft draft, int at, byte[] expected, String where) {
    String literal = new String(expected, StandardCharsets.ISO_8859_1);
    return draft.fail(
        at,
        () ->
            ("column " + (at - draft.from() + 1) + ": " + draft.excerpt(at, draft.to()))
                + (" (expected: " + (literal.isEmpty() ? "the end" : "'" + literal + "'"))
                + (" " + where + ")"));
  }

  /** What is there besides is most often a field that somebody added to a usual format. */
  private boolean tooLong(Draft draft, int at) {
    return draft.fail(
        at,
        () -> {
          int count = words(draft.bytes(), at, draft.to());
          return "column "
              + (at - draft.from() + 1)
              + ": "
              + (count == 1 ? "one more field" : count + " more fields")
              + " at the end: "
              + draft.excerpt(at, draft.to()).strip()
              + " (expected: the end)";
        });
  }

  private static int words(byte[] bytes, int from, int to) {
    int count = 0;
    boolean quoted = false;
    boolean inside = false;
    for (int at = from; at < to; at++) {
      quoted ^= bytes[at] == '"';
      boolean space = bytes[at] == ' ' && !quoted;
      count += !space && !inside ? 1 : 0;
      inside = !space;
    }
    return count;
  }

  @Override
  public @Nullable String find(byte[] line, String wanted) {
    int at = prefix.length;
    for (Part part : parts) {
      int end = part.end(line, at, line.length);
      if (end < 0) {
        return null;
      }
      if (part.field().name().equals(wanted)) {
        return Bytes.isAbsent(line, at, end) ? null : FieldLookup.text(line, at, end, escaped);
      }
      at = end + part.until().length;
    }
    return null;
  }
}

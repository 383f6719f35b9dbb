package dev.weir.replay.log.table;

import dev.weir.replay.log.line.Bytes;
import dev.weir.replay.log.line.Draft;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.Form;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LineParser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines by the last {@code #Fields} directive; there may be several. For one thread. */
final class TableParser implements LineParser {
  private static final byte[] FIELDS = "#Fields:".getBytes(StandardCharsets.US_ASCII);

  private final HeaderNames headers = new HeaderNames();
  private String @Nullable [] names;
  private @Nullable Columns columns;

  @Override
  public HeaderNames headers() {
    return headers;
  }

  @Override
  public boolean parse(Draft draft) {
    byte[] bytes = draft.bytes();
    int from = draft.from();
    int to = draft.to();
    if (from < to && bytes[from] == '#') {
      if (Bytes.isAt(bytes, from, to, FIELDS)) {
        int start = from + FIELDS.length;
        names =
            new String(bytes, start, to - start, StandardCharsets.ISO_8859_1)
                .strip()
                .split("\\s+", Columns.MAX);
        columns = null;
      }
      return draft.skip();
    }
    Columns current = columns(draft);
    if (current == null) {
      return draft.fail(from, () -> "no #Fields line before (expected: one with column names)");
    }
    int at = from;
    for (int i = 0; i < current.size(); i++) {
      if (at > to) {
        int found = i;
        return draft.fail(
            to, () -> found + " fields (expected: " + current.size() + ", as in #Fields)");
      }
      int end = current.end(bytes, at, to);
      Field field = current.field(i);
      boolean quoted = field.form() == Form.TEXT && end - at > 1 && bytes[at] == '"';
      draft.put(field, quoted ? at + 1 : at, quoted ? end - 1 : end);
      at = end + 1;
    }
    if (at <= to) {
      return draft.fail(at, () -> "more fields (expected: " + current.size() + ", as in #Fields)");
    }
    draft.lookup(current);
    return true;
  }

  private @Nullable Columns columns(Draft draft) {
    if (columns == null && names != null) {
      boolean tabs = Bytes.indexOf(draft.bytes(), draft.from(), draft.to(), '\t') >= 0;
      columns = new Columns(names, tabs, headers);
    }
    return columns;
  }
}

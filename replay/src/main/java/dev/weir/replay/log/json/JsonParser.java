package dev.weir.replay.log.json;

import dev.weir.replay.log.line.Bytes;
import dev.weir.replay.log.line.Draft;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LineParser;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Finds the fields of JSON objects by the names of their members. For one thread. */
final class JsonParser extends JsonScanner<KeyNode> implements LineParser {
  private static final int MAX_NODES = 1_024;
  private static final byte[] NO_KEY = {};

  private final JsonNames names;
  private final HeaderNames headers = new HeaderNames();
  private final KeyNode root = new KeyNode(NO_KEY, "", null, false);
  private final Draft none = new Draft();
  private Draft draft = none;
  private int nodes;
  private int required;

  JsonParser(JsonNames names) {
    this.names = names;
  }

  @Override
  public HeaderNames headers() {
    return headers;
  }

  @Override
  public boolean parse(Draft line) {
    draft = line;
    required = 0;
    root.begin();
    boolean valid = scan(root, line.bytes(), line.from(), line.to());
    draft = none;
    if (!valid) {
      int at = position();
      int from = line.from();
      return line.fail(
          at,
          () ->
              ("column " + (at - from + 1) + ": ")
                  + (at < line.to() ? line.excerpt(at, line.to()) : "the end of the line")
                  + (at == from ? " (expected: a JSON object)" : " (expected: valid JSON)"));
    }
    if (required < names.required().size()) {
      return line.fail(line.from(), () -> "no such members (expected: " + names.required() + ")");
    }
    if (Bytes.indexOf(line.bytes(), line.from(), line.to(), '\\') >= 0) {
      line.escaped();
    }
    line.lookup(JsonLookup::find);
    return true;
  }

  @Override
  @Nullable KeyNode child(KeyNode object, byte[] line, int from, int end) {
    KeyNode known = object.find(line, from, end);
    if (known == null && nodes < MAX_NODES && !object.isFull()) {
      nodes++;
      String key = new String(line, from, end - from, StandardCharsets.UTF_8);
      String path = object == root ? key : object.path() + "." + key;
      known =
          new KeyNode(
              java.util.Arrays.copyOfRange(line, from, end),
              path,
              names.field(path, headers),
              names.required().contains(path));
      object.add(known);
    }
    if (known != null) {
      known.begin();
    }
    return known;
  }

  @Override
  void value(KeyNode member, byte[] line, int from, int end) {
    Field field = member.field();
    if (field != null) {
      draft.put(field, from, end);
    }
    required += member.isRequired() ? 1 : 0;
  }
}

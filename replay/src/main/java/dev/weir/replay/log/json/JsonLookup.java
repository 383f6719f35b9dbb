package dev.weir.replay.log.json;

import dev.weir.replay.log.line.FieldLookup;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Finds one value of an object by the path of its members. For one thread, and one use. */
final class JsonLookup extends JsonScanner<String> {
  private final String wanted;
  private @Nullable String found;

  private JsonLookup(String wanted) {
    this.wanted = wanted;
  }

  static @Nullable String find(byte[] line, String name) {
    JsonLookup lookup = new JsonLookup(name);
    lookup.scan("", line, 0, line.length);
    return lookup.found;
  }

  @Override
  @Nullable String child(String object, byte[] line, int from, int end) {
    String key = new String(line, from, end - from, StandardCharsets.UTF_8);
    String path = object.isEmpty() ? key : object + "." + key;
    return wanted.startsWith(path) ? path : null;
  }

  @Override
  void value(String member, byte[] line, int from, int end) {
    if (found == null && member.equals(wanted)) {
      found = FieldLookup.text(line, from, end, true);
    }
  }
}

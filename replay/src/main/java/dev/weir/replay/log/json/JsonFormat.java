package dev.weir.replay.log.json;

import dev.weir.replay.log.line.LineParser;
import dev.weir.replay.log.line.LogFormat;
import java.util.Map;
import java.util.Set;

/** One JSON object on a line, with members by any names. Immutable. */
public final class JsonFormat implements LogFormat {
  private final String name;
  private final JsonNames names;

  private JsonFormat(String name, JsonNames names) {
    this.name = name;
    this.names = names;
  }

  /**
   * Objects whose members are mapped, or have usual names.
   *
   * @param meanings paths of members by what they mean; {@code a.b} is in an object
   * @param required members that every object has, or it is of another format
   * @throws IllegalArgumentException if something has no such meaning
   */
  public static LogFormat of(String name, Map<String, String> meanings, Set<String> required) {
    return new JsonFormat(name, new JsonNames(meanings, required));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LineParser parser() {
    return new JsonParser(names);
  }
}

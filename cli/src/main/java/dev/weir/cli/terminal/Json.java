package dev.weir.cli.terminal;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in ASCII, so that it is the same in every locale and harmless on any terminal.
 *
 * <p>Written by hand although Jackson is on the class path: in a command that runs for a fraction
 * of a second its classes take longer to load than all else; docs/adr/0016 has the numbers.
 *
 * <p>The static methods are thread-safe.
 */
public final class Json {
  private final StringBuilder text = new StringBuilder();

  private Json() {}

  /** An object with these names and values, given alternately. */
  public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  /**
   * The document for maps, lists, strings, finite numbers, booleans and null.
   *
   * @throws IllegalArgumentException if there is a value of another type
   */
  public static String of(@Nullable Object value) {
    Json json = new Json();
    json.write(value, "\n");
    return json.text.toString();
  }

  /** A text as a JSON string, with its quotes. */
  public static String quoted(String string) {
    Json json = new Json();
    json.quote(string);
    return json.text.toString();
  }

  private void write(@Nullable Object value, String margin) {
    if (value instanceof Map<?, ?> map) {
      entries('{', map.entrySet().iterator(), '}', margin);
    } else if (value instanceof List<?> list) {
      entries('[', list.iterator(), ']', margin);
    } else if (value instanceof String string) {
      quote(string);
    } else if (value == null
        || value instanceof Boolean
        || value instanceof Integer
        || value instanceof Long
        || (value instanceof Double number && Double.isFinite(number))) {
      text.append(value);
    } else {
      throw new IllegalArgumentException("no JSON for " + value.getClass());
    }
  }

  private void entries(char open, Iterator<?> entries, char close, String margin) {
    text.append(open);
    boolean any = entries.hasNext();
    String inner = margin + "  ";
    while (entries.hasNext()) {
      text.append(inner);
      Object entry = entries.next();
      if (entry instanceof Map.Entry<?, ?> field) {
        quote(String.valueOf(field.getKey()));
        text.append(": ");
        write(field.getValue(), inner);
      } else {
        write(entry, inner);
      }
      text.append(entries.hasNext() ? "," : "");
    }
    text.append(any ? margin : "").append(close);
  }

  private void quote(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c == '\n') {
        text.append("\\n");
      } else if (c < ' ' || c > '~') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}

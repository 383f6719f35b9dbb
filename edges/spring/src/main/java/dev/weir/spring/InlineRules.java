package dev.weir.spring;

import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The rules that are written in properties, as the text of a rules file. Each line of the text is
 * about one property, so that a problem names the property that the user wrote. Immutable.
 */
final class InlineRules {
  static final String NAME = "application properties";

  /** What YAML reads as something other than a text, and what a user meant as such. */
  private static final Pattern PLAIN = Pattern.compile("-?[0-9]+|true|false");

  private final List<String> lines = new ArrayList<>();
  private final List<String> properties = new ArrayList<>();
  private final int rules;

  private InlineRules(WeirProperties weir) {
    if (!weir.identity().isEmpty()) {
      add("identity:", "weir.identity");
      weir.identity()
          .forEach((name, value) -> add("  " + flow(name) + ": " + flow(value), "weir.identity"));
    }
    addList("trusted-proxies", weir.trustedProxies());
    addList("lint-ignore", weir.lintIgnore());
    addRules("rules", "weir.limits", weir.limits(), weir);
    addRules("calls", "weir.calls", weir.calls(), weir);
    this.rules = weir.limits().size() + weir.calls().size();
  }

  /** The rules in the properties; empty if there are none. */
  static Optional<InlineRules> of(WeirProperties properties) {
    InlineRules inline = new InlineRules(properties);
    return inline.lines.isEmpty() ? Optional.empty() : Optional.of(inline);
  }

  /** Whether there are rules, and not just settings for rules. */
  boolean hasRules() {
    return rules > 0;
  }

  RulesText text() {
    return RulesText.of(NAME, String.join("\n", lines) + "\n");
  }

  /** A problem of this text, with the property instead of the line. */
  String describe(Problem problem) {
    int line = problem.location().line();
    return line < 1 || line > properties.size()
        ? problem.message()
        : properties.get(line - 1) + ": " + problem.message();
  }

  private void addRules(
      String section,
      String prefix,
      Map<String, Map<String, Object>> byName,
      WeirProperties settings) {
    if (byName.isEmpty()) {
      return;
    }
    add(section + ":", prefix);
    byName.forEach(
        (name, keys) -> {
          Map<String, Object> rule = new LinkedHashMap<>();
          rule.put("name", name);
          rule.putAll(keys);
          rule.putIfAbsent(
              "when-store-fails", settings.whenStoreFails().name().toLowerCase(Locale.ROOT));
          add("  - " + flow(rule), prefix + "." + name);
        });
  }

  private void addList(String key, List<String> values) {
    if (!values.isEmpty()) {
      add(key + ": " + flow(values), "weir." + key);
    }
  }

  private void add(String line, String property) {
    lines.add(line);
    properties.add(property);
  }

  /** A value in YAML's flow style, on one line. */
  private static String flow(Object value) {
    if (value instanceof Map<?, ?> map) {
      Optional<List<Object>> list = asList(map);
      return list.isPresent() ? flow(list.get()) : flowMap(map);
    }
    if (value instanceof Iterable<?> values) {
      List<String> parts = new ArrayList<>();
      values.forEach(one -> parts.add(flow(one)));
      return "[" + String.join(", ", parts) + "]";
    }
    String text = String.valueOf(value);
    return PLAIN.matcher(text).matches() ? text : quoted(text);
  }

  private static String flowMap(Map<?, ?> map) {
    List<String> parts = new ArrayList<>();
    map.forEach((key, value) -> parts.add(quoted(String.valueOf(key)) + ": " + flow(value)));
    return "{" + String.join(", ", parts) + "}";
  }

  /** Spring binds a list without a declared type to a map with the keys 0, 1, 2, and so on. */
  private static Optional<List<Object>> asList(Map<?, ?> map) {
    Map<Integer, Object> byIndex = new TreeMap<>();
    map.forEach(
        (key, value) -> {
          if (String.valueOf(key).matches("[0-9]{1,4}")) {
            byIndex.put(Integer.valueOf(String.valueOf(key)), value);
          }
        });
    boolean complete = !map.isEmpty() && byIndex.size() == map.size();
    return complete && byIndex.containsKey(0) && byIndex.containsKey(map.size() - 1)
        ? Optional.of(List.copyOf(byIndex.values()))
        : Optional.empty();
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == '\u007f' || c == '\u0085' || c == '\u2028' || c == '\u2029') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}

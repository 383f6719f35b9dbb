package dev.weir.rules.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one YAML mapping, each in a requested type, and adds an error for each field
 * that is invalid. An invalid field reads as absent; its error makes sure that the result is
 * refused. Not thread-safe.
 */
public final class Section {
  /** Quotes make no difference; underscores may stand between digits. */
  private static final Pattern NUMBER = Pattern.compile("-?\\d(?:_?\\d){0,17}");

  private final SourceLocation location;
  private final Problems problems;
  private final Map<String, YamlNode.Field> fields = new LinkedHashMap<>();

  /** The known keys that misspelt ones are taken for. */
  private final Set<String> intendedKeys = new HashSet<>();

  private boolean mapping = true;

  private Section(SourceLocation location, Problems problems) {
    this.location = location;
    this.problems = problems;
  }

  /** A mapping whose keys are names that operators choose. */
  public static Section open(YamlNode node, String what, Problems problems) {
    Section section = new Section(node.location(), problems);
    if (!(node instanceof YamlNode.Fields mapping)) {
      problems.error(node.location(), what, node.kind(), "a mapping");
      section.mapping = false;
      return section;
    }
    for (YamlNode.Field field : mapping.fields()) {
      String key = field.key().value();
      YamlNode.Field first = section.fields.putIfAbsent(key, field);
      if (first != null) {
        String expected = "each key once; the first is in line " + first.key().location().line();
        problems.error(field.key().location(), "key", key, expected);
      }
    }
    return section;
  }

  /** A mapping with known keys; any other key is an error. */
  public static Section of(YamlNode node, String what, Set<String> known, Problems problems) {
    return of(node, what, known, Map.of(), problems);
  }

  /**
   * A mapping with known keys, and with hints for keys that belong elsewhere.
   *
   * @param misplaced what to write instead, by key
   */
  public static Section of(
      YamlNode node,
      String what,
      Set<String> known,
      Map<String, String> misplaced,
      Problems problems) {
    Section section = open(node, what, problems);
    for (YamlNode.Field field : section.fields.values()) {
      String key = field.key().value();
      String instead = misplaced.get(key);
      if (instead != null) {
        problems.error(field.key().location(), "key", key, instead + "; did you mean that?");
      } else if (!known.contains(key)) {
        Spelling.nearest(key, known).ifPresent(section.intendedKeys::add);
        problems.error(field.key().location(), "key", key, Spelling.expected(key, known));
      }
    }
    return section;
  }

  /** Where the mapping starts. */
  public SourceLocation location() {
    return location;
  }

  Problems problems() {
    return problems;
  }

  /** The fields, each key once, in the order of the file. */
  public List<YamlNode.Field> fields() {
    return List.copyOf(fields.values());
  }

  /** Whether the node is a mapping; if not, an error has been added. */
  public boolean isMapping() {
    return mapping;
  }

  /** Whether the key is present, be its value valid or not. */
  public boolean has(String key) {
    return fields.containsKey(key);
  }

  /** Whether all these keys are absent, and no reported mistake stands for one of them. */
  public boolean lacks(String... keys) {
    for (String key : keys) {
      if (!mapping || has(key) || intendedKeys.contains(key)) {
        return false;
      }
    }
    return true;
  }

  /** Where the key is, or the mapping if it has no such key. */
  public SourceLocation location(String key) {
    YamlNode.Field field = fields.get(key);
    return field == null ? location : field.key().location();
  }

  /** The value of a key, whatever its type; null if absent. */
  public @Nullable YamlNode node(String key) {
    YamlNode.Field field = fields.get(key);
    return field == null ? null : field.value();
  }

  /** The scalar value of a key. */
  public Optional<YamlNode.Text> text(String key) {
    YamlNode node = node(key);
    return node == null ? Optional.empty() : text(node, key, problems);
  }

  /** The node as a scalar; adds an error if it is none, or null. */
  public static Optional<YamlNode.Text> text(YamlNode node, String field, Problems problems) {
    if (node instanceof YamlNode.Text text && !text.isNull()) {
      return Optional.of(text);
    }
    problems.error(node.location(), field, node.kind(), "a word or a number");
    return Optional.empty();
  }

  /** The values of a field that is one value or a list of at least one. */
  public List<YamlNode> list(String key) {
    YamlNode node = node(key);
    List<YamlNode> nodes = nodes(key);
    if (node != null && nodes.isEmpty()) {
      problems.error(node.location(), key, "an empty list", "at least one value");
    }
    return nodes;
  }

  /** The values of a field that is one value or a list, which may be empty. */
  public List<YamlNode> nodes(String key) {
    YamlNode node = node(key);
    return node instanceof YamlNode.Items items
        ? items.items()
        : node == null ? List.of() : List.of(node);
  }

  /** The scalars of a field that is one value or a list of at least one. */
  public List<YamlNode.Text> texts(String key) {
    List<YamlNode.Text> texts = new ArrayList<>();
    list(key).forEach(node -> text(node, key, problems).ifPresent(texts::add));
    return texts;
  }

  /** The whole number of a field, within bounds that are inclusive. */
  public OptionalLong number(String key, long min, long max) {
    YamlNode node = node(key);
    if (node == null) {
      return OptionalLong.empty();
    }
    String expected = "a whole number between " + min + " and " + max;
    if (node instanceof YamlNode.Text text && NUMBER.matcher(text.value()).matches()) {
      long number = Long.parseLong(text.value().replace("_", ""));
      if (number >= min && number <= max) {
        return OptionalLong.of(number);
      }
    }
    problems.error(node.location(), key, node.kind(), expected);
    return OptionalLong.empty();
  }

  /** The boolean of a field. */
  public boolean flag(String key, boolean defaultValue) {
    return choice(key, Map.of("true", true, "false", false)).orElse(defaultValue);
  }

  /** The choice that a field's word stands for, whatever its case. */
  public <T> Optional<T> choice(String key, Map<String, T> choices) {
    return text(key)
        .flatMap(
            text -> {
              T choice = null;
              for (Map.Entry<String, T> one : choices.entrySet()) {
                choice = one.getKey().equalsIgnoreCase(text.value()) ? one.getValue() : choice;
              }
              if (choice == null) {
                String expected = Spelling.expected(text.value(), choices.keySet());
                problems.error(text.location(), key, text.value(), expected);
              }
              return Optional.ofNullable(choice);
            });
  }

  /**
   * The parsed text of a field.
   *
   * @param parser throws {@link IllegalArgumentException} if the text is invalid
   */
  public <T> Optional<T> parse(String key, Function<String, T> parser) {
    return text(key).flatMap(text -> parse(text, key, parser, problems));
  }

  /** The parsed text; adds an error if {@code parser} throws. */
  public static <T> Optional<T> parse(
      YamlNode.Text text, String field, Function<String, T> parser, Problems problems) {
    try {
      return Optional.of(parser.apply(text.value()));
    } catch (IllegalArgumentException e) {
      problems.error(text.location(), errorMessage(field, text.value(), e));
      return Optional.empty();
    }
  }

  /** The parser's message, after the field and the text that the file has there. */
  public static String errorMessage(String field, String written, IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    String start = field + ": " + written;
    String shown = field + ": " + Problems.shown(written);
    if (message.startsWith(start) || message.startsWith(shown)) {
      int rest = message.startsWith(start) ? start.length() : shown.length();
      return shown + Problems.printable(message.substring(rest));
    }
    // The parser has another name for the same value, or its message is about a part of it.
    int again = message.indexOf(": " + written + " (expected: ");
    String rest = again < 0 ? ": " + message : message.substring(again + written.length() + 2);
    return shown + Problems.printable(rest);
  }
}

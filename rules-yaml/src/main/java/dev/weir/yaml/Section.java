package dev.weir.yaml;

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
 * A mapping that is being read: gives each field once, in the type asked for, and notes what is
 * wrong with it. A field that is wrong is as good as absent; the note makes sure that nobody uses
 * the result.
 */
final class Section {
  /** With or without quotes, which change nothing, and with underscores between digits. */
  private static final Pattern NUMBER = Pattern.compile("-?\\d(?:_?\\d){0,17}");

  private final Place place;
  private final Problems problems;
  private final Map<String, Node.Field> fields = new LinkedHashMap<>();

  /** Keys that misspelt ones were taken for. */
  private final Set<String> meant = new HashSet<>();

  private boolean mapping = true;

  private Section(Place place, Problems problems) {
    this.place = place;
    this.problems = problems;
  }

  /** A mapping with any keys: names that operators choose. */
  static Section open(Node node, String what, Problems problems) {
    Section section = new Section(node.place(), problems);
    if (!(node instanceof Node.Fields mapping)) {
      problems.error(node.place(), what, node.kind(), "a mapping");
      section.mapping = false;
      return section;
    }
    for (Node.Field field : mapping.fields()) {
      String key = field.key().value();
      Node.Field first = section.fields.putIfAbsent(key, field);
      if (first != null) {
        String expected = "each key once; the first is in line " + first.key().place().line();
        problems.error(field.key().place(), "key", key, expected);
      }
    }
    return section;
  }

  /** A mapping with the keys that a part of the grammar knows. */
  static Section of(Node node, String what, Set<String> known, Problems problems) {
    return of(node, what, known, Map.of(), problems);
  }

  /**
   * The same, with what to write instead of keys that belong elsewhere.
   *
   * @param elsewhere by key
   */
  static Section of(
      Node node, String what, Set<String> known, Map<String, String> elsewhere, Problems problems) {
    Section section = open(node, what, problems);
    for (Node.Field field : section.fields.values()) {
      String key = field.key().value();
      String instead = elsewhere.get(key);
      if (instead != null) {
        problems.error(field.key().place(), "key", key, instead + "; did you mean that?");
      } else if (!known.contains(key)) {
        Words.nearest(key, known).ifPresent(section.meant::add);
        problems.error(field.key().place(), "key", key, Words.expected(key, known));
      }
    }
    return section;
  }

  Place place() {
    return place;
  }

  Problems problems() {
    return problems;
  }

  List<Node.Field> fields() {
    return List.copyOf(fields.values());
  }

  /** Whether it is one at all; if not, that has been told. */
  boolean isMapping() {
    return mapping;
  }

  boolean has(String key) {
    return fields.containsKey(key);
  }

  /** Whether none of these is there, nor something wrong that has been told in its place. */
  boolean lacks(String... keys) {
    for (String key : keys) {
      if (!mapping || has(key) || meant.contains(key)) {
        return false;
      }
    }
    return true;
  }

  /** Where the key stands, or the section if it does not. */
  Place place(String key) {
    Node.Field field = fields.get(key);
    return field == null ? place : field.key().place();
  }

  @Nullable Node node(String key) {
    Node.Field field = fields.get(key);
    return field == null ? null : field.value();
  }

  Optional<Node.Text> text(String key) {
    Node node = node(key);
    return node == null ? Optional.empty() : text(node, key, problems);
  }

  static Optional<Node.Text> text(Node node, String field, Problems problems) {
    if (node instanceof Node.Text text && !text.isNothing()) {
      return Optional.of(text);
    }
    problems.error(node.place(), field, node.kind(), "a word or a number");
    return Optional.empty();
  }

  /** One value, or a list of them. */
  List<Node> list(String key) {
    Node node = node(key);
    List<Node> nodes = nodes(key);
    if (node != null && nodes.isEmpty()) {
      problems.error(node.place(), key, "an empty list", "at least one value");
    }
    return nodes;
  }

  /** The values of a field, whatever they are. */
  List<Node> nodes(String key) {
    Node node = node(key);
    return node instanceof Node.Items items
        ? items.items()
        : node == null ? List.of() : List.of(node);
  }

  List<Node.Text> texts(String key) {
    List<Node.Text> texts = new ArrayList<>();
    list(key).forEach(node -> text(node, key, problems).ifPresent(texts::add));
    return texts;
  }

  OptionalLong number(String key, long least, long most) {
    Node node = node(key);
    if (node == null) {
      return OptionalLong.empty();
    }
    String expected = "a whole number between " + least + " and " + most;
    if (node instanceof Node.Text text && NUMBER.matcher(text.value()).matches()) {
      long number = Long.parseLong(text.value().replace("_", ""));
      if (number >= least && number <= most) {
        return OptionalLong.of(number);
      }
    }
    problems.error(node.place(), key, node.kind(), expected);
    return OptionalLong.empty();
  }

  boolean flag(String key, boolean otherwise) {
    return choice(key, Map.of("true", true, "false", false)).orElse(otherwise);
  }

  /** One of a few words. */
  <T> Optional<T> choice(String key, Map<String, T> choices) {
    return text(key)
        .flatMap(
            text -> {
              T choice = null;
              for (Map.Entry<String, T> one : choices.entrySet()) {
                choice = one.getKey().equalsIgnoreCase(text.value()) ? one.getValue() : choice;
              }
              if (choice == null) {
                String expected = Words.expected(text.value(), choices.keySet());
                problems.error(text.place(), key, text.value(), expected);
              }
              return Optional.ofNullable(choice);
            });
  }

  /** What {@code make} makes of a field's text, unless it refuses it. */
  <T> Optional<T> made(String key, Function<String, T> make) {
    return text(key).flatMap(text -> made(text, key, make, problems));
  }

  static <T> Optional<T> made(
      Node.Text text, String field, Function<String, T> make, Problems problems) {
    try {
      return Optional.of(make.apply(text.value()));
    } catch (IllegalArgumentException e) {
      problems.error(text.place(), refusal(field, text.value(), e));
      return Optional.empty();
    }
  }

  /** In the words of whoever refused, after the field and what was written there. */
  static String refusal(String field, String written, IllegalArgumentException e) {
    String message = String.valueOf(e.getMessage());
    String start = field + ": " + written;
    String shown = field + ": " + Problems.shown(written);
    if (message.startsWith(start) || message.startsWith(shown)) {
      int rest = message.startsWith(start) ? start.length() : shown.length();
      return shown + Problems.printable(message.substring(rest));
    }
    // Whoever refused knows another name for the same value, or speaks of a part of it.
    int again = message.indexOf(": " + written + " (expected: ");
    String rest = again < 0 ? ": " + message : message.substring(again + written.length() + 2);
    return shown + Problems.printable(rest);
  }
}

package dev.weir.yaml;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping in the format of Envoy's rate limit service: takes the types it takes, refuses what it
 * refuses, and tells what it would ignore.
 *
 * <p>That service knows its keys, but not where they belong: one in a wrong place is read by
 * nobody, and nobody says so.
 */
final class EnvoySection {
  static final long MAX_UINT32 = 0xFFFF_FFFFL;

  private static final String DESCRIPTOR = "into a descriptor";
  private static final String RATE = "into rate_limit";

  /** The keys that the service knows, and where they belong. */
  private static final Map<String, String> PLACES =
      Map.ofEntries(
          Map.entry("domain", "at the top of the file"),
          Map.entry("descriptors", DESCRIPTOR),
          Map.entry("key", DESCRIPTOR),
          Map.entry("value", DESCRIPTOR),
          Map.entry("rate_limit", DESCRIPTOR),
          Map.entry("shadow_mode", DESCRIPTOR),
          Map.entry("quota_mode", DESCRIPTOR),
          Map.entry("detailed_metric", DESCRIPTOR),
          Map.entry("value_to_metric", DESCRIPTOR),
          Map.entry("share_threshold", DESCRIPTOR),
          Map.entry("metadata", DESCRIPTOR),
          Map.entry("unit", RATE),
          Map.entry("requests_per_unit", RATE),
          Map.entry("unlimited", RATE),
          Map.entry("name", RATE),
          Map.entry("replaces", RATE));

  private final Section section;
  private final Problems problems;

  private EnvoySection(Section section, Problems problems) {
    this.section = section;
    this.problems = problems;
  }

  static EnvoySection of(Node node, String what, Set<String> here, Problems problems) {
    return of(node, what, here, Map.of(), problems);
  }

  /**
   * @param elsewhere what to write instead of keys that only this project knows
   */
  static EnvoySection of(
      Node node, String what, Set<String> here, Map<String, String> elsewhere, Problems problems) {
    if (!(node instanceof Node.Fields mapping)) {
      return new EnvoySection(Section.open(node, what, problems), problems);
    }
    List<Node.Field> kept = new ArrayList<>();
    for (Node.Field field : GoYaml.fields(mapping, problems)) {
      String key = field.key().value();
      String belongs = PLACES.get(key);
      if (here.contains(key) || belongs == null) {
        kept.add(field);
      } else {
        String message = key + ": ignored here (it belongs " + belongs + ")";
        problems.warning(field.key().place(), EnvoyLint.IGNORED, message);
        ignored(field, problems);
      }
    }
    Node.Fields fields = new Node.Fields(node.place(), kept, node.size());
    return new EnvoySection(Section.of(fields, what, here, elsewhere, problems), problems);
  }

  /** Even what the service does not read must look like what it could; metadata may be anything. */
  private static void ignored(Node.Field field, Problems problems) {
    String key = field.key().value();
    Node value = field.value();
    if (!PLACES.containsKey(key)) {
      problems.error(field.key().place(), "key", key, Words.expected(key, PLACES.keySet()));
    } else if (key.equals("metadata")) {
      return;
    } else if (value instanceof Node.Text text) {
      refuseOtherNumber(key, text, problems);
    } else {
      for (Node node : value instanceof Node.Items items ? items.items() : List.of(value)) {
        if (node instanceof Node.Fields fields) {
          GoYaml.fields(fields, problems).forEach(one -> ignored(one, problems));
        } else {
          problems.error(node.place(), key, node.kind(), "a mapping");
        }
      }
    }
  }

  /** For what only this project knows, which is read as the rest of its rules. */
  Section section() {
    return section;
  }

  /** Where the key stands, or the section if it does not. */
  Place place(String key) {
    return section.place(key);
  }

  /** Where the value stands, or whoever lacks it. */
  Place valuePlace(String key) {
    Node node = section.node(key);
    return node == null ? section.place() : node.place();
  }

  /** What the key has, unless that is nothing. */
  @Nullable Node node(String key) {
    Node node = section.node(key);
    return GoYaml.isNothing(node) ? null : node;
  }

  /** Whether there is nothing, nor something wrong that has been told in its place. */
  boolean isMissing(String key) {
    Node node = node(key);
    boolean empty = node == null || (node instanceof Node.Text text && text.value().isEmpty());
    return empty && (section.has(key) || section.lacks(key));
  }

  /** Any scalar, as it is written; empty if there is none. */
  String text(String key) {
    Node node = node(key);
    if (node == null) {
      return "";
    }
    if (!(node instanceof Node.Text text)) {
      problems.error(node.place(), key, node.kind(), "a word or a number");
      return "";
    }
    refuseOtherNumber(key, text, problems);
    return text.value();
  }

  private static void refuseOtherNumber(String key, Node.Text text, Problems problems) {
    if (GoYaml.isOtherNumber(text)) {
      problems.error(text.place(), key, text.value(), "a whole number, or quotes around it");
    }
  }

  boolean flag(String key) {
    Node node = node(key);
    Optional<Boolean> flag = node == null ? Optional.of(false) : GoYaml.flag(node);
    if (flag.isEmpty() && node != null) {
      boolean quoted = node instanceof Node.Text text && !text.plain();
      String expected = "true or false" + (quoted ? ", without quotes" : "");
      problems.error(node.place(), key, node.kind(), expected);
    }
    return flag.orElse(false);
  }

  /** One of a few words of ours, which have underscores here and hyphens at home; both will do. */
  <T> Optional<T> choice(String key, Map<String, T> choices) {
    if (!section.has(key)) {
      return Optional.empty();
    }
    String word = text(key);
    T choice = choices.get(word.toLowerCase(Locale.ROOT).replace('-', '_'));
    if (choice == null && !(node(key) instanceof Node.Items || node(key) instanceof Node.Fields)) {
      String found = word.isEmpty() ? "nothing" : word;
      problems.error(valuePlace(key), key, found, Words.expected(found, choices.keySet()));
    }
    return Optional.ofNullable(choice);
  }

  /** A whole number of 32 bits. */
  OptionalLong number(String key) {
    Node node = node(key);
    if (node == null) {
      return OptionalLong.empty();
    }
    Optional<BigInteger> number = GoYaml.whole(node);
    if (number.isPresent() && number.get().signum() >= 0 && number.get().bitLength() <= 32) {
      if (node instanceof Node.Text text && GoYaml.isOctal(text)) {
        String message = " is " + number.get() + ", since the zero in front makes it octal";
        problems.warning(node.place(), EnvoyLint.OCTAL, key + ": " + text.value() + message);
      }
      return OptionalLong.of(number.get().longValue());
    }
    boolean quoted = node instanceof Node.Text text && !text.plain();
    String expected = "a whole number between 0 and " + MAX_UINT32;
    problems.error(node.place(), key, node.kind(), expected + (quoted ? ", without quotes" : ""));
    return OptionalLong.empty();
  }

  /** The items of a list; none if it is not there. */
  List<Node> list(String key, String expected) {
    Node node = node(key);
    if (node instanceof Node.Items items) {
      return items.items();
    }
    if (node != null) {
      problems.error(node.place(), key, node.kind(), expected);
    }
    return List.of();
  }
}

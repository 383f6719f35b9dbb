package dev.weir.rules.envoy;

import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
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
 * Reads a mapping in the format of Envoy's rate limit service: accepts the types it accepts,
 * refuses what it refuses, and warns of what it would ignore.
 *
 * <p>That service checks the spelling of keys, but not their location: it silently ignores a key in
 * the wrong mapping.
 */
final class EnvoySection {
  static final long MAX_UINT32 = 0xFFFF_FFFFL;

  private static final String DESCRIPTOR = "into a descriptor";
  private static final String RATE = "into rate_limit";

  /** The keys that the service knows, and the mapping that each belongs into. */
  private static final Map<String, String> PARENTS =
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

  static EnvoySection of(YamlNode node, String what, Set<String> here, Problems problems) {
    return of(node, what, here, Map.of(), problems);
  }

  /**
   * A mapping with known keys, and with hints for keys that belong elsewhere.
   *
   * @param misplaced what to write instead of keys that only Weir knows, by key
   */
  static EnvoySection of(
      YamlNode node,
      String what,
      Set<String> here,
      Map<String, String> misplaced,
      Problems problems) {
    if (!(node instanceof YamlNode.Fields mapping)) {
      return new EnvoySection(Section.open(node, what, problems), problems);
    }
    List<YamlNode.Field> kept = new ArrayList<>();
    for (YamlNode.Field field : GoYaml.fields(mapping, problems)) {
      String key = field.key().value();
      String belongs = PARENTS.get(key);
      if (here.contains(key) || belongs == null) {
        kept.add(field);
      } else {
        String message = key + ": ignored here (it belongs " + belongs + ")";
        problems.warning(field.key().location(), LintCodes.IGNORED_FIELD, message);
        checkIgnored(field, problems);
      }
    }
    YamlNode.Fields fields = new YamlNode.Fields(node.location(), kept, node.size());
    return new EnvoySection(Section.of(fields, what, here, misplaced, problems), problems);
  }

  /**
   * Also ignored fields must have valid keys and types, as in the service; metadata is free-form.
   */
  private static void checkIgnored(YamlNode.Field field, Problems problems) {
    String key = field.key().value();
    YamlNode value = field.value();
    if (!PARENTS.containsKey(key)) {
      problems.error(field.key().location(), "key", key, Spelling.expected(key, PARENTS.keySet()));
    } else if (key.equals("metadata")) {
      return;
    } else if (value instanceof YamlNode.Text text) {
      refuseUnsupportedNumber(key, text, problems);
    } else {
      for (YamlNode node : value instanceof YamlNode.Items items ? items.items() : List.of(value)) {
        if (node instanceof YamlNode.Fields fields) {
          GoYaml.fields(fields, problems).forEach(one -> checkIgnored(one, problems));
        } else {
          problems.error(node.location(), key, node.kind(), "a mapping");
        }
      }
    }
  }

  /** For the extensions of Weir, which are read like the rest of its rules. */
  Section section() {
    return section;
  }

  /** Where the key is, or the mapping if it has no such key. */
  SourceLocation location(String key) {
    return section.location(key);
  }

  /** Where the value is, or the mapping if it has no such key. */
  SourceLocation valueLocation(String key) {
    YamlNode node = section.node(key);
    return node == null ? section.location() : node.location();
  }

  /** The value of a key; null if absent or YAML's null. */
  @Nullable YamlNode node(String key) {
    YamlNode node = section.node(key);
    return GoYaml.isNull(node) ? null : node;
  }

  /** Whether the value is absent or empty, and no reported mistake stands for it. */
  boolean isMissing(String key) {
    YamlNode node = node(key);
    boolean empty = node == null || (node instanceof YamlNode.Text text && text.value().isEmpty());
    return empty && (section.has(key) || section.lacks(key));
  }

  /** A scalar of any type as text; empty if absent. */
  String text(String key) {
    YamlNode node = node(key);
    if (node == null) {
      return "";
    }
    if (!(node instanceof YamlNode.Text text)) {
      problems.error(node.location(), key, node.kind(), "a word or a number");
      return "";
    }
    refuseUnsupportedNumber(key, text, problems);
    return text.value();
  }

  private static void refuseUnsupportedNumber(String key, YamlNode.Text text, Problems problems) {
    if (GoYaml.isUnsupportedNumber(text)) {
      problems.error(text.location(), key, text.value(), "a whole number, or quotes around it");
    }
  }

  boolean flag(String key) {
    YamlNode node = node(key);
    Optional<Boolean> flag = node == null ? Optional.of(false) : GoYaml.flag(node);
    if (flag.isEmpty() && node != null) {
      boolean quoted = node instanceof YamlNode.Text text && !text.plain();
      String expected = "true or false" + (quoted ? ", without quotes" : "");
      problems.error(node.location(), key, node.kind(), expected);
    }
    return flag.orElse(false);
  }

  /**
   * A choice of Weir's; words with underscores, as in this format, or with hyphens, as in rules
   * files.
   */
  <T> Optional<T> choice(String key, Map<String, T> choices) {
    if (!section.has(key)) {
      return Optional.empty();
    }
    String word = text(key);
    T choice = choices.get(word.toLowerCase(Locale.ROOT).replace('-', '_'));
    if (choice == null
        && !(node(key) instanceof YamlNode.Items || node(key) instanceof YamlNode.Fields)) {
      String found = word.isEmpty() ? "nothing" : word;
      problems.error(valueLocation(key), key, found, Spelling.expected(found, choices.keySet()));
    }
    return Optional.ofNullable(choice);
  }

  /** An unsigned 32-bit number. */
  OptionalLong number(String key) {
    YamlNode node = node(key);
    if (node == null) {
      return OptionalLong.empty();
    }
    Optional<BigInteger> number = GoYaml.integer(node);
    if (number.isPresent() && number.get().signum() >= 0 && number.get().bitLength() <= 32) {
      if (node instanceof YamlNode.Text text && GoYaml.isOctal(text)) {
        String message = " is " + number.get() + ", since the zero in front makes it octal";
        problems.warning(
            node.location(), LintCodes.OCTAL_NUMBER, key + ": " + text.value() + message);
      }
      return OptionalLong.of(number.get().longValue());
    }
    boolean quoted = node instanceof YamlNode.Text text && !text.plain();
    String expected = "a whole number between 0 and " + MAX_UINT32;
    problems.error(
        node.location(), key, node.kind(), expected + (quoted ? ", without quotes" : ""));
    return OptionalLong.empty();
  }

  /** The items of a list; empty if absent. */
  List<YamlNode> list(String key, String expected) {
    YamlNode node = node(key);
    if (node instanceof YamlNode.Items items) {
      return items.items();
    }
    if (node != null) {
      problems.error(node.location(), key, node.kind(), expected);
    }
    return List.of();
  }
}

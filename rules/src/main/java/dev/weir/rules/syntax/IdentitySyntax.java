package dev.weir.rules.syntax;

import dev.weir.rule.Identity;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code identity}: names for what identifies a caller. Not thread-safe.
 *
 * <p>An identity is {@code ip}, {@code path}, {@code host}, {@code method}, {@code principal},
 * {@code model}, a source and a name ({@code header X-API-Key}, {@code jwt sub}), or the name of
 * another identity. A list stands for the first of its alternatives that a request has; {@code
 * all:} combines several.
 */
public final class IdentitySyntax {
  static final Set<String> BUILT_IN =
      Set.of("ip", "path", "host", "method", "principal", "domain", "model");
  static final Set<String> SOURCES = Set.of("header", "trusted-header", "cookie", "jwt", "entry");

  private static final int MAX_IDENTITIES = 1_000;

  /** The maximum length of a chain of references between identities. */
  private static final int MAX_DEPTH = 16;

  /** The maximum of values that together identify a caller. */
  private static final int MAX_TOGETHER = 16;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]{1,256}");

  private final Map<String, YamlNode> definitions = new LinkedHashMap<>();
  private final Map<String, SourceLocation> locations = new HashMap<>();
  private final Map<String, Optional<Identity>> resolved = new HashMap<>();
  private final Set<String> resolving = new HashSet<>();
  private boolean incomplete;
  private final Problems problems;

  /** A reader without names. */
  public IdentitySyntax(Problems problems) {
    this.problems = problems;
  }

  /** Suppresses errors for unknown names, since the definition of some could not be read. */
  public void markIncomplete() {
    incomplete = true;
  }

  /** Adds the names of an {@code identity} section. */
  public void define(Section section) {
    incomplete |= !section.isMapping();
    if (definitions.size() + section.fields().size() > MAX_IDENTITIES) {
      String expected = "at most " + MAX_IDENTITIES;
      problems.error(section.location(), "identity", section.fields().size() + " names", expected);
      incomplete = true;
      return;
    }
    for (YamlNode.Field field : section.fields()) {
      String name = field.key().value();
      if (!NAME.matcher(name).matches() || BUILT_IN.contains(name) || SOURCES.contains(name)) {
        String expected = "a name of letters, digits and dashes that is not taken, as ip is";
        problems.error(field.key().location(), "identity", name, expected);
        incomplete = true;
      } else if (definitions.putIfAbsent(name, field.value()) != null) {
        String first = String.valueOf(locations.get(name));
        problems.error(
            field.key().location(), "identity", name, "each name once; the first is at " + first);
      } else {
        locations.put(name, field.key().location());
      }
    }
  }

  /** Reports the errors also of identities that no rule uses. */
  public void resolveAll() {
    List.copyOf(definitions.keySet()).forEach(this::named);
  }

  Map<String, SourceLocation> locations() {
    return locations;
  }

  /** The identity of that name; empty if it is undefined or invalid. */
  Optional<Identity> named(String name) {
    Optional<Identity> known = resolved.get(name);
    if (known != null) {
      return known;
    }
    YamlNode definition = definitions.get(name);
    if (definition == null) {
      return Optional.empty();
    }
    if (!resolving.add(name)) {
      problems.error(
          definition.location(), "identity", name, "one that does not lead back to itself");
      return Optional.empty();
    }
    Optional<Identity> identity = Optional.empty();
    if (resolving.size() > MAX_DEPTH) {
      String expected = "one that leads through at most " + MAX_DEPTH + " others";
      problems.error(definition.location(), "identity", name, expected);
    } else {
      identity = read(definition, name, name).map(one -> new Identity(name, one.alternatives()));
    }
    resolving.remove(name);
    resolved.put(name, identity);
    return identity;
  }

  /** Reads one identity, a list of alternatives, or {@code all:} of several. */
  Optional<Identity> read(YamlNode node, String field, String name) {
    try {
      if (node instanceof YamlNode.Items items) {
        if (items.items().isEmpty()) {
          problems.error(node.location(), field, "an empty list", "at least one alternative");
        }
        return readAll(items.items(), field)
            .map(alternatives -> Identity.first(name, alternatives));
      } else if (node instanceof YamlNode.Fields) {
        Section section = Section.of(node, field, Set.of("all"), problems);
        if (section.lacks("all")) {
          problems.error(node.location(), field, "a mapping", "{all: [one identity, another]}");
        }
        if (!section.has("all")) {
          return Optional.empty();
        }
        return readAll(section.list("all"), field)
            .flatMap(alternatives -> combine(name, alternatives, node, field));
      }
    } catch (IllegalArgumentException e) {
      problems.error(node.location(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    return Section.text(node, field, problems).flatMap(text -> readAlternative(text, field));
  }

  private Optional<Identity> combine(
      String name, List<Identity> alternatives, YamlNode node, String field) {
    long together = 0;
    for (Identity alternative : alternatives) {
      together += alternative.alternatives().stream().mapToInt(List::size).max().orElse(0);
    }
    if (together > MAX_TOGETHER) {
      String expected = "at most " + MAX_TOGETHER + " values together";
      problems.error(node.location(), field, together + " values", expected);
      return Optional.empty();
    }
    return Optional.of(Identity.all(name, alternatives));
  }

  private Optional<List<Identity>> readAll(List<YamlNode> nodes, String field) {
    List<Identity> alternatives = new ArrayList<>();
    for (YamlNode node : nodes) {
      read(node, field, node.kind()).ifPresent(alternatives::add);
    }
    if (nodes.isEmpty() || alternatives.size() < nodes.size()) {
      return Optional.empty();
    }
    return Optional.of(alternatives);
  }

  /** Reads a built-in name, a source and a name, or the name of an identity. */
  private Optional<Identity> readAlternative(YamlNode.Text text, String field) {
    String written = text.value().strip();
    Optional<Identity> alternative = find(written);
    if (alternative.isEmpty() && !definitions.containsKey(written)) {
      reportUnknown(text, field);
    }
    return alternative;
  }

  /** The identity of this spelling, if it is one. */
  Optional<Identity> find(String written) {
    if (BUILT_IN.contains(written)) {
      return Optional.of(Identity.of(written));
    }
    return definitions.containsKey(written) ? named(written) : source(written).map(Identity::of);
  }

  /** The name that the file has for a single value, or the value itself. */
  String nameOf(String value) {
    List<List<String>> just = List.of(List.of(value));
    return definitions.keySet().stream()
        .filter(name -> named(name).filter(one -> one.alternatives().equals(just)).isPresent())
        .findFirst()
        .orElse(value);
  }

  /** The name of the descriptor's value for a source such as {@code header X-Plan}. */
  private static Optional<String> source(String written) {
    String[] words = written.split("\\s+", -1);
    if (words.length == 2 && SOURCES.contains(words[0])) {
      boolean header = words[0].endsWith("header");
      boolean free = words[0].equals("entry") || words[0].equals("jwt");
      if (free || TOKEN.matcher(words[1]).matches()) {
        return Optional.of(words[0] + " " + (header ? lower(words[1]) : words[1]));
      }
    }
    return Optional.empty();
  }

  private void reportUnknown(YamlNode.Text text, String field) {
    String first = text.value().strip().split("\\s+", -1)[0];
    Set<String> known = new LinkedHashSet<>(BUILT_IN);
    known.addAll(definitions.keySet());
    String forms = "header NAME, trusted-header NAME, cookie NAME, jwt CLAIM, entry KEY or one of ";
    Optional<String> near =
        Spelling.nearest(text.value(), known)
            .or(() -> Spelling.nearest(first, SOURCES).map(word -> word + " NAME"))
            .map(word -> word + "; did you mean that?");
    if (near.isPresent() || !incomplete) {
      String expected = near.orElseGet(() -> forms + Spelling.listed(known));
      problems.error(text.location(), field, text.value(), expected);
    }
  }

  /** The name of a single value: a built-in, a source, or an identity of one value. */
  Optional<String> value(YamlNode.Text text, String field) {
    Optional<Identity> identity = readAlternative(text, field);
    if (identity.isPresent() && !isSingle(identity.get())) {
      problems.error(text.location(), field, text.value(), "a single value, such as header X-Plan");
      return Optional.empty();
    }
    return identity.map(one -> one.alternatives().get(0).get(0));
  }

  static boolean isSingle(Identity identity) {
    return identity.alternatives().size() == 1 && identity.alternatives().get(0).size() == 1;
  }

  /** The text in lower case, independent of the locale. */
  static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}

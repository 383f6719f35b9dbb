package dev.weir.yaml;

import dev.weir.rule.Identity;
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
 * The {@code identity} part of a file: names for the ways to know a caller.
 *
 * <p>A way is {@code ip}, {@code path}, {@code host}, {@code method}, a source and a name ({@code
 * header X-API-Key}, {@code jwt sub}), or the name of another identity. A list is the first of its
 * ways that a request offers; {@code all:} takes several together.
 */
final class Identities {
  static final Set<String> BUILT_IN = Set.of("ip", "path", "host", "method", "domain");
  static final Set<String> SOURCES = Set.of("header", "trusted-header", "cookie", "jwt", "entry");

  private static final int MOST = 1_000;

  /** The most others that an identity may lead through. */
  private static final int MAX_DEPTH = 16;

  /** The most values that identify a caller together. */
  private static final int MAX_TOGETHER = 16;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]{1,256}");

  private final Map<String, Node> definitions = new LinkedHashMap<>();
  private final Map<String, Place> places = new HashMap<>();
  private final Map<String, Optional<Identity>> resolved = new HashMap<>();
  private final Set<String> resolving = new HashSet<>();
  private boolean incomplete;
  private final Problems problems;

  Identities(Problems problems) {
    this.problems = problems;
  }

  /** Some names could not be read, which has been told; it is no wonder if others lead to them. */
  void incomplete() {
    incomplete = true;
  }

  void define(Section section) {
    incomplete |= !section.isMapping();
    if (definitions.size() + section.fields().size() > MOST) {
      String expected = "at most " + MOST;
      problems.error(section.place(), "identity", section.fields().size() + " names", expected);
      incomplete = true;
      return;
    }
    for (Node.Field field : section.fields()) {
      String name = field.key().value();
      if (!NAME.matcher(name).matches() || BUILT_IN.contains(name) || SOURCES.contains(name)) {
        String expected = "a name of letters, digits and dashes that is not taken, as ip is";
        problems.error(field.key().place(), "identity", name, expected);
        incomplete = true;
      } else if (definitions.putIfAbsent(name, field.value()) != null) {
        String first = String.valueOf(places.get(name));
        problems.error(
            field.key().place(), "identity", name, "each name once; the first is at " + first);
      } else {
        places.put(name, field.key().place());
      }
    }
  }

  /** Reports what is wrong also in identities that no rule uses. */
  void resolveAll() {
    List.copyOf(definitions.keySet()).forEach(this::named);
  }

  Map<String, Place> places() {
    return places;
  }

  /** What an identity of the file stands for, empty if it has none of that name or a wrong one. */
  Optional<Identity> named(String name) {
    Optional<Identity> known = resolved.get(name);
    if (known != null) {
      return known;
    }
    Node definition = definitions.get(name);
    if (definition == null) {
      return Optional.empty();
    }
    if (!resolving.add(name)) {
      problems.error(definition.place(), "identity", name, "one that does not lead back to itself");
      return Optional.empty();
    }
    Optional<Identity> identity = Optional.empty();
    if (resolving.size() > MAX_DEPTH) {
      String expected = "one that leads through at most " + MAX_DEPTH + " others";
      problems.error(definition.place(), "identity", name, expected);
    } else {
      identity = read(definition, name, name).map(one -> new Identity(name, one.alternatives()));
    }
    resolving.remove(name);
    resolved.put(name, identity);
    return identity;
  }

  /** Reads a way, a list of ways, or several together. */
  Optional<Identity> read(Node node, String field, String name) {
    try {
      if (node instanceof Node.Items items) {
        if (items.items().isEmpty()) {
          problems.error(node.place(), field, "an empty list", "at least one way");
        }
        return several(items.items(), field).map(ways -> Identity.first(name, ways));
      } else if (node instanceof Node.Fields) {
        Section section = Section.of(node, field, Set.of("all"), problems);
        if (section.lacks("all")) {
          problems.error(node.place(), field, "a mapping", "{all: [one way, another]}");
        }
        if (!section.has("all")) {
          return Optional.empty();
        }
        return several(section.list("all"), field).flatMap(ways -> all(name, ways, node, field));
      }
    } catch (IllegalArgumentException e) {
      problems.error(node.place(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    return Section.text(node, field, problems).flatMap(text -> way(text, field));
  }

  private Optional<Identity> all(String name, List<Identity> ways, Node node, String field) {
    long together = 0;
    for (Identity way : ways) {
      together += way.alternatives().stream().mapToInt(List::size).max().orElse(0);
    }
    if (together > MAX_TOGETHER) {
      String expected = "at most " + MAX_TOGETHER + " values together";
      problems.error(node.place(), field, together + " values", expected);
      return Optional.empty();
    }
    return Optional.of(Identity.all(name, ways));
  }

  private Optional<List<Identity>> several(List<Node> nodes, String field) {
    List<Identity> ways = new ArrayList<>();
    for (Node node : nodes) {
      read(node, field, node.kind()).ifPresent(ways::add);
    }
    if (nodes.isEmpty() || ways.size() < nodes.size()) {
      return Optional.empty();
    }
    return Optional.of(ways);
  }

  /** A built-in name, a source and a name, or an identity of the file. */
  private Optional<Identity> way(Node.Text text, String field) {
    String written = text.value().strip();
    Optional<Identity> way = find(written);
    if (way.isEmpty() && !definitions.containsKey(written)) {
      unknown(text, field);
    }
    return way;
  }

  /** What a way of this spelling stands for, if it is one. */
  Optional<Identity> find(String written) {
    if (BUILT_IN.contains(written)) {
      return Optional.of(Identity.of(written));
    }
    return definitions.containsKey(written) ? named(written) : source(written).map(Identity::of);
  }

  /** What the file calls a way that is one value. */
  String nameOf(String value) {
    List<List<String>> just = List.of(List.of(value));
    return definitions.keySet().stream()
        .filter(name -> named(name).filter(one -> one.alternatives().equals(just)).isPresent())
        .findFirst()
        .orElse(value);
  }

  /** {@code header X-Plan} and its like, as the name of a value in a descriptor. */
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

  private void unknown(Node.Text text, String field) {
    String first = text.value().strip().split("\\s+", -1)[0];
    Set<String> known = new LinkedHashSet<>(BUILT_IN);
    known.addAll(definitions.keySet());
    String forms = "header NAME, trusted-header NAME, cookie NAME, jwt CLAIM, entry KEY or one of ";
    Optional<String> near =
        Words.nearest(text.value(), known)
            .or(() -> Words.nearest(first, SOURCES).map(word -> word + " NAME"))
            .map(word -> word + "; did you mean that?");
    if (near.isPresent() || !incomplete) {
      String expected = near.orElseGet(() -> forms + Words.listed(known));
      problems.error(text.place(), field, text.value(), expected);
    }
  }

  /** The name of a single value: a built-in, a source, or an identity that is just one. */
  Optional<String> value(Node.Text text, String field) {
    Optional<Identity> identity = way(text, field);
    if (identity.isPresent() && !isSingle(identity.get())) {
      problems.error(text.place(), field, text.value(), "a single value, such as header X-Plan");
      return Optional.empty();
    }
    return identity.map(one -> one.alternatives().get(0).get(0));
  }

  static boolean isSingle(Identity identity) {
    return identity.alternatives().size() == 1 && identity.alternatives().get(0).size() == 1;
  }

  static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}

package dev.weir.yaml;

import dev.weir.Descriptor;
import dev.weir.http.CanonicalPath;
import dev.weir.http.HttpReader;
import dev.weir.http.Network;
import dev.weir.http.NetworkCondition;
import dev.weir.rule.Condition;
import dev.weir.rule.PathPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code match}: which requests a rule is about. */
final class MatchSyntax {
  static final Set<String> KEYS =
      Set.of(
          "method",
          "host",
          "path",
          "ip",
          "header",
          "trusted-header",
          "cookie",
          "jwt",
          "domain",
          "entry");
  private static final Pattern METHOD = Pattern.compile("[A-Za-z-]{1,32}");
  private static final Pattern HOST =
      Pattern.compile(
          "(?=.{1,253}$)[A-Za-z0-9*_-]{1,63}(\\.[A-Za-z0-9*_-]{1,63})*|\\[[0-9a-fA-F:.]+\\]");
  private static final String HOST_EXPECTED =
      "a host without port, such as example.com, *.example.com or [2001:db8::1]";

  private final Identities identities;
  private final boolean pathCaseSensitive;
  private final Problems problems;

  MatchSyntax(Identities identities, boolean pathCaseSensitive, Problems problems) {
    this.identities = identities;
    this.pathCaseSensitive = pathCaseSensitive;
    this.problems = problems;
  }

  List<Condition> read(Node node) {
    Set<String> known = new HashSet<>(KEYS);
    known.addAll(identities.places().keySet());
    if (!(node instanceof Node.Fields)) {
      String expected = "a mapping, such as {method: POST, path: /login}";
      problems.error(node.place(), "match", node.kind(), expected);
      return List.of();
    }
    Section match = Section.of(node, "match", known, problems);
    List<Condition> conditions = new ArrayList<>();
    for (Node.Field field : match.fields()) {
      String key = field.key().value();
      switch (key) {
        case "method", "host", "path", "ip", "domain" -> value(match, key, key, conditions);
        case "header", "trusted-header", "cookie", "jwt", "entry" -> named(field, key, conditions);
        default ->
            identities
                .named(key)
                .ifPresent(
                    identity -> {
                      if (Identities.isSingle(identity)) {
                        value(match, key, identity.alternatives().get(0).get(0), conditions);
                      } else {
                        String expected = "an identity that is a single value";
                        problems.error(field.key().place(), "match", key, expected);
                      }
                    });
      }
    }
    return conditions;
  }

  /** What is asked of the value {@code name}, which the file calls {@code key}. */
  private void value(Section match, String key, String name, List<Condition> conditions) {
    switch (name) {
      case "method" -> add(match, key, name, METHOD, conditions);
      case "host" -> add(match, key, name, HOST, conditions);
      case "path" -> path(match, key, conditions);
      case "ip" -> ip(match, key, conditions);
      default -> {
        refuseEmpty(match, key);
        add(match, key, name, null, conditions);
      }
    }
  }

  /** A value that is empty is as good as none, and so no condition on it can hold. */
  private void refuseEmpty(Section section, String key) {
    for (Node node : section.nodes(key)) {
      if (node instanceof Node.Text text && !text.isNothing() && text.value().isBlank()) {
        problems.error(text.place(), key, "an empty value", "a value, or \"*\" for any");
      }
    }
  }

  /** A value in the form in which requests have it. */
  String canonical(String name, String value) {
    return switch (name) {
      case "method" -> value.toUpperCase(Locale.ROOT);
      case "host" ->
          value.endsWith("]")
              ? host(value).orElse("")
              : Identities.lower(
                  value.endsWith(".") ? value.substring(0, value.length() - 1) : value);
      case "path" -> pathCaseSensitive ? value : CanonicalPath.folded(value);
      default -> name.startsWith("cookie ") ? cookie(value) : value;
    };
  }

  /** What to write instead of a value that no request has; empty if one can have it. */
  Optional<String> remedy(String name, String value) {
    return switch (name) {
      case "method" ->
          METHOD.matcher(value).matches() ? Optional.empty() : Optional.of("a method, such as GET");
      case "host" -> {
        String host = host(value).orElse("a host, such as example.com");
        yield host.equals(value) ? Optional.empty() : Optional.of(host);
      }
      case "path" -> {
        CanonicalPath path = CanonicalPath.of(value, true);
        yield path.canBe(value) ? Optional.empty() : Optional.of(spelling(path));
      }
      default -> Optional.empty();
    };
  }

  private static String cookie(String value) {
    String read = HttpReader.cookie(value);
    return Descriptor.isUnusable(read) ? value : read;
  }

  /** The host as requests have it, if any can. */
  private static Optional<String> host(String value) {
    return Optional.of(HttpReader.host(value)).filter(host -> !Descriptor.isUnusable(host));
  }

  /** How to write a path in a rule. */
  static String spelling(CanonicalPath path) {
    return Descriptor.isUnusable(path.path())
        ? "a shorter or plainer path"
        : Problems.shown(path.path());
  }

  /** A mapping from names, of headers for one, to what their values must be. */
  private void named(Node.Field field, String source, List<Condition> conditions) {
    if (!(field.value() instanceof Node.Fields)) {
      String example = "such as {X-Plan: free}, or {X-Plan: \"*\"} for any value";
      problems.error(field.value().place(), source, field.value().kind(), "a mapping, " + example);
      return;
    }
    Section section = Section.open(field.value(), source, problems);
    for (Node.Field one : section.fields()) {
      String key = one.key().value();
      String name = source + " " + (source.endsWith("header") ? Identities.lower(key) : key);
      String problem = source.equals("entry") ? null : HttpReader.problem(name);
      if (problem != null) {
        String expected = source.equals("jwt") ? "a claim's name" : "a name without spaces";
        problems.error(one.key().place(), source, key, expected);
      } else {
        refuseEmpty(section, key);
        add(section, key, name, null, conditions);
      }
    }
  }

  private void add(
      Section section,
      String key,
      String name,
      @Nullable Pattern form,
      List<Condition> conditions) {
    Set<String> values = new LinkedHashSet<>();
    for (Node.Text text : section.texts(key)) {
      String value = canonical(name, text.value().strip());
      if (form != null && !form.matcher(value).matches()) {
        String expected = name.equals("host") ? HOST_EXPECTED : "a method, such as GET";
        problems.error(text.place(), key, text.value(), expected);
      } else {
        values.add(value);
        if (name.equals("method")) {
          Methods.doubt(value)
              .ifPresent(doubt -> problems.warning(text.place(), Lint.METHOD, key + ": " + doubt));
        }
      }
    }
    boolean stars = values.stream().anyMatch(value -> value.indexOf('*') >= 0);
    if (!values.isEmpty()) {
      conditions.add(stars ? new Condition.Like(name, values) : new Condition.OneOf(name, values));
    }
  }

  private void path(Section match, String key, List<Condition> conditions) {
    List<PathPattern> patterns = new ArrayList<>();
    for (Node.Text text : match.texts(key)) {
      // Parsed as written first, so that a refusal quotes what was written.
      Section.made(text, key, PathPattern::parse, problems)
          .map(pattern -> PathPattern.parse(canonical("path", text.value())))
          .ifPresent(patterns::add);
    }
    if (!patterns.isEmpty()) {
      conditions.add(new Condition.Path(patterns));
    }
  }

  private void ip(Section match, String key, List<Condition> conditions) {
    List<Network> networks = networks(match, key, problems);
    if (!networks.isEmpty()) {
      conditions.add(inside(networks));
    }
  }

  static List<Network> networks(Section section, String key, Problems problems) {
    List<Network> networks = new ArrayList<>();
    for (Node.Text text : section.texts(key)) {
      Section.made(text, key, Network::parse, problems).ifPresent(networks::add);
    }
    return networks;
  }

  /** The client's whole address, not only the prefix it is counted by, is in one of these. */
  static Condition inside(List<Network> networks) {
    return NetworkCondition.of(networks);
  }
}

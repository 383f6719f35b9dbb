package dev.weir.rules.syntax;

import dev.weir.Descriptor;
import dev.weir.http.address.Network;
import dev.weir.http.address.NetworkCondition;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.request.CanonicalPath;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathPattern;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code match}: the conditions on requests that a rule applies to. Not thread-safe. */
public final class MatchSyntax {
  /** The keys, beside the names of identities. */
  public static final Set<String> KEYS =
      Set.of(
          "method",
          "host",
          "path",
          "ip",
          "principal",
          "header",
          "trusted-header",
          "cookie",
          "jwt",
          "domain",
          "entry",
          "model");

  private static final Pattern METHOD = Pattern.compile("[A-Za-z-]{1,32}");
  private static final Pattern HOST =
      Pattern.compile(
          "(?=.{1,253}$)[A-Za-z0-9*_-]{1,63}(\\.[A-Za-z0-9*_-]{1,63})*|\\[[0-9a-fA-F:.]+\\]");
  private static final String HOST_EXPECTED =
      "a host without port, such as example.com, *.example.com or [2001:db8::1]";

  private final IdentitySyntax identities;
  private final boolean pathCaseSensitive;
  private final Problems problems;

  /** A reader for the rules of one version. */
  public MatchSyntax(IdentitySyntax identities, boolean pathCaseSensitive, Problems problems) {
    this.identities = identities;
    this.pathCaseSensitive = pathCaseSensitive;
    this.problems = problems;
  }

  /** The conditions of a {@code match}, without its invalid ones. */
  public List<Condition> read(YamlNode node) {
    Set<String> known = new HashSet<>(KEYS);
    known.addAll(identities.locations().keySet());
    if (!(node instanceof YamlNode.Fields)) {
      String expected = "a mapping, such as {method: POST, path: /login}";
      problems.error(node.location(), "match", node.kind(), expected);
      return List.of();
    }
    Section match = Section.of(node, "match", known, problems);
    List<Condition> conditions = new ArrayList<>();
    for (YamlNode.Field field : match.fields()) {
      String key = field.key().value();
      switch (key) {
        case "method", "host", "path", "ip", "principal", "domain", "model" ->
            addValue(match, key, key, conditions);
        case "header", "trusted-header", "cookie", "jwt", "entry" ->
            addNamed(field, key, conditions);
        default ->
            identities
                .named(key)
                .ifPresent(
                    identity -> {
                      if (IdentitySyntax.isSingle(identity)) {
                        addValue(match, key, identity.alternatives().get(0).get(0), conditions);
                      } else {
                        String expected = "an identity that is a single value";
                        problems.error(field.key().location(), "match", key, expected);
                      }
                    });
      }
    }
    return conditions;
  }

  /** Adds the condition on the value {@code name}, which the file calls {@code key}. */
  private void addValue(Section match, String key, String name, List<Condition> conditions) {
    switch (name) {
      case "method" -> add(match, key, name, METHOD, conditions);
      case "host" -> add(match, key, name, HOST, conditions);
      case "path" -> addPath(match, key, conditions);
      case "ip" -> addIp(match, key, conditions);
      default -> {
        refuseEmpty(match, key);
        add(match, key, name, null, conditions);
      }
    }
  }

  /** Empty values count as absent, so a condition on one would never hold. */
  private void refuseEmpty(Section section, String key) {
    for (YamlNode node : section.nodes(key)) {
      if (node instanceof YamlNode.Text text && !text.isNull() && text.value().isBlank()) {
        problems.error(text.location(), key, "an empty value", "a value, or \"*\" for any");
      }
    }
  }

  /** A value in the canonical form that requests are read in. */
  String canonical(String name, String value) {
    return switch (name) {
      case "method" -> value.toUpperCase(Locale.ROOT);
      case "host" ->
          value.endsWith("]")
              ? host(value).orElse("")
              : IdentitySyntax.lower(
                  value.endsWith(".") ? value.substring(0, value.length() - 1) : value);
      case "path" -> pathCaseSensitive ? value : CanonicalPath.foldCase(value);
      default -> name.startsWith("cookie ") ? cookie(value) : value;
    };
  }

  /** What to write instead of a value that no request can have; empty if one can. */
  Optional<String> suggestion(String name, String value) {
    return switch (name) {
      case "method" ->
          METHOD.matcher(value).matches() ? Optional.empty() : Optional.of("a method, such as GET");
      case "host" -> {
        String host = host(value).orElse("a host, such as example.com");
        yield host.equals(value) ? Optional.empty() : Optional.of(host);
      }
      case "path" -> {
        CanonicalPath path = CanonicalPath.of(value, true);
        yield path.hasReading(value) ? Optional.empty() : Optional.of(spelling(path));
      }
      default -> Optional.empty();
    };
  }

  private static String cookie(String value) {
    String read = HttpReader.cookie(value);
    return Descriptor.isUnusable(read) ? value : read;
  }

  /** The host in canonical form, if a request can have it. */
  private static Optional<String> host(String value) {
    return Optional.of(HttpReader.host(value)).filter(host -> !Descriptor.isUnusable(host));
  }

  /** How an error spells a path. */
  public static String spelling(CanonicalPath path) {
    return Descriptor.isUnusable(path.path())
        ? "a shorter or plainer path"
        : Problems.shown(path.path());
  }

  /** Reads a mapping from names, such as those of headers, to conditions on their values. */
  private void addNamed(YamlNode.Field field, String source, List<Condition> conditions) {
    if (!(field.value() instanceof YamlNode.Fields)) {
      String example = "such as {X-Plan: free}, or {X-Plan: \"*\"} for any value";
      problems.error(
          field.value().location(), source, field.value().kind(), "a mapping, " + example);
      return;
    }
    Section section = Section.open(field.value(), source, problems);
    for (YamlNode.Field one : section.fields()) {
      String key = one.key().value();
      String name = source + " " + (source.endsWith("header") ? IdentitySyntax.lower(key) : key);
      String problem = source.equals("entry") ? null : HttpReader.problem(name);
      if (problem != null) {
        String expected = source.equals("jwt") ? "a claim's name" : "a name without spaces";
        problems.error(one.key().location(), source, key, expected);
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
    for (YamlNode.Text text : section.texts(key)) {
      String value = canonical(name, text.value().strip());
      if (form != null && !form.matcher(value).matches()) {
        String expected = name.equals("host") ? HOST_EXPECTED : "a method, such as GET";
        problems.error(text.location(), key, text.value(), expected);
      } else {
        values.add(value);
        if (name.equals("method")) {
          HttpMethods.warning(value)
              .ifPresent(
                  doubt ->
                      problems.warning(
                          text.location(), LintCodes.UNKNOWN_METHOD, key + ": " + doubt));
        }
      }
    }
    boolean stars = values.stream().anyMatch(value -> value.indexOf('*') >= 0);
    if (!values.isEmpty()) {
      conditions.add(stars ? new Condition.Like(name, values) : new Condition.OneOf(name, values));
    }
  }

  private void addPath(Section match, String key, List<Condition> conditions) {
    List<PathPattern> patterns = new ArrayList<>();
    for (YamlNode.Text text : match.texts(key)) {
      // Parsed as written first, so that a refusal quotes what was written.
      Section.parse(text, key, PathPattern::parse, problems)
          .map(pattern -> PathPattern.parse(canonical("path", text.value())))
          .ifPresent(patterns::add);
    }
    if (!patterns.isEmpty()) {
      conditions.add(new Condition.Path(patterns));
    }
  }

  private void addIp(Section match, String key, List<Condition> conditions) {
    List<Network> networks = networks(match, key, problems);
    if (!networks.isEmpty()) {
      conditions.add(inside(networks));
    }
  }

  static List<Network> networks(Section section, String key, Problems problems) {
    List<Network> networks = new ArrayList<>();
    for (YamlNode.Text text : section.texts(key)) {
      Section.parse(text, key, Network::parse, problems).ifPresent(networks::add);
    }
    return networks;
  }

  /** The condition that the client's whole address, not only its prefix, is in one of these. */
  static Condition inside(List<Network> networks) {
    return NetworkCondition.of(networks);
  }
}

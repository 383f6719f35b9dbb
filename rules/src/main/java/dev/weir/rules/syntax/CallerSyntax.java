package dev.weir.rules.syntax;

import dev.weir.http.address.Ip;
import dev.weir.http.address.Network;
import dev.weir.rule.Identity;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the callers that an exception of a rule applies to.
 *
 * <p>A bare value matches a caller by any alternative of its identity; {@code {subject: acme}} only
 * by the named one. An address or a network matches only a caller identified by its address, and
 * any other value only one identified by something else: a client cannot get onto the list of
 * 10.0.0.0/8 by sending an API key of that name.
 */
final class CallerSyntax {
  /** The maximum of combinations of alternatives that one exception may stand for. */
  private static final int MAX_COMBINATIONS = 1_000;

  /** Digits and dots, or groups of hexadecimal digits and colons, whatever comes after a slash. */
  private static final Pattern LOOKS_LIKE_ADDRESS =
      Pattern.compile("(\\d++(\\.\\d*+)++|[0-9A-Fa-f]*+(:[0-9A-Fa-f.]*+){2,})([/-].*+)?");

  private final List<Identity> per;
  private final boolean perInvalid;
  private final IdentitySyntax identities;
  private final MatchSyntax matches;
  private final Problems problems;
  private final CallerLint lint;

  /**
   * A reader for the exceptions of one rule.
   *
   * @param perInvalid whether {@code per} itself has an error
   * @param match the conditions of the rule; no exception applies to other requests
   */
  CallerSyntax(
      List<Identity> per,
      boolean perInvalid,
      IdentitySyntax identities,
      MatchSyntax matches,
      List<Condition> match,
      Problems problems) {
    this.per = per;
    this.perInvalid = perInvalid;
    this.identities = identities;
    this.matches = matches;
    this.problems = problems;
    this.lint = new CallerLint(identities, matches, match, problems);
  }

  /**
   * A part of the identity that a rule counts by, with the alternatives that a caller may match.
   */
  record Part(int index, List<List<String>> alternatives) {
    /** The alternatives that consist of one value, which a text can name. */
    List<String> singleValues() {
      return alternatives.stream()
          .filter(alternative -> alternative.size() == 1)
          .map(alternative -> alternative.get(0))
          .toList();
    }
  }

  /** The part of a rule that has exactly one. */
  Part onlyPart() {
    return new Part(0, per.get(0).alternatives());
  }

  /** The part with this name, be it its name in {@code per} or that of an alternative. */
  Optional<Part> findPart(YamlNode.Text key, String field) {
    String name = key.value().strip();
    for (int i = 0; i < per.size(); i++) {
      if (per.get(i).name().equals(name)) {
        return Optional.of(new Part(i, per.get(i).alternatives()));
      }
    }
    List<List<String>> alternatives =
        identities.find(name).map(Identity::alternatives).orElse(List.of());
    for (int i = 0; i < per.size(); i++) {
      if (!alternatives.isEmpty() && per.get(i).alternatives().containsAll(alternatives)) {
        return Optional.of(new Part(i, alternatives));
      }
    }
    if (!perInvalid) {
      String expected = per.isEmpty() ? "a rule with per" : Spelling.expected(name, names());
      problems.error(key.location(), field, name, expected);
    }
    return Optional.empty();
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < per.size(); i++) {
      names.add(per.get(i).name());
      new Part(i, per.get(i).alternatives())
          .singleValues().stream().map(identities::nameOf).forEach(names::add);
    }
    return names;
  }

  /** Whether a text is an address or a network, and callers may be identified by address. */
  static boolean isAddress(String value, Part part) {
    int slash = value.indexOf('/');
    return part.alternatives().contains(List.of("ip"))
        && Ip.parse(slash < 0 ? value : value.substring(0, slash)) != null;
  }

  Optional<Network> readNetwork(YamlNode.Text text, String field) {
    return Section.parse(text, field, ignored -> Network.parse(text.value().strip()), problems);
  }

  /** Reads {@code {tenant: [acme, globex], path: /search}} as every combination of conditions. */
  List<Map<Integer, Condition>> readMapping(YamlNode node, String field, boolean blocks) {
    Section who = Section.open(node, field, problems);
    if (who.isMapping() && who.fields().isEmpty()) {
      problems.error(node.location(), field, "no caller", "a caller, such as {tenant: acme}");
    }
    Map<Integer, String> parts = new HashMap<>();
    List<Map<Integer, Condition>> callers = List.of(Map.of());
    for (YamlNode.Field one : who.fields()) {
      String key = one.key().value();
      Optional<Part> part = findPart(one.key(), field);
      if (part.isEmpty()) {
        continue;
      }
      String other = parts.putIfAbsent(part.get().index(), key);
      if (other != null) {
        String expected = "another part of per than " + Problems.shown(other);
        problems.error(one.key().location(), field, key, expected);
        continue;
      }
      List<Condition> alternatives = new ArrayList<>();
      who.texts(key)
          .forEach(text -> alternatives.addAll(readValue(text, part.get(), key, field, blocks)));
      if ((long) callers.size() * alternatives.size() > MAX_COMBINATIONS) {
        String value = (long) callers.size() * alternatives.size() + " combinations";
        problems.error(node.location(), field, value, "at most " + MAX_COMBINATIONS);
        return List.of();
      }
      callers = combine(callers, part.get().index(), alternatives);
    }
    return parts.isEmpty() ? List.of() : callers;
  }

  private static List<Map<Integer, Condition>> combine(
      List<Map<Integer, Condition>> callers, int part, List<Condition> alternatives) {
    List<Map<Integer, Condition>> combined = new ArrayList<>();
    for (Map<Integer, Condition> caller : callers) {
      for (Condition alternative : alternatives) {
        Map<Integer, Condition> both = new HashMap<>(caller);
        both.put(part, alternative);
        combined.add(both);
      }
    }
    return combined;
  }

  /**
   * Reads one value as a condition for each alternative that may have it.
   *
   * @param field the name of the value in errors
   * @param list the list that contains the value
   * @param blocks whether the exception blocks, so that no client will claim to be the caller
   */
  List<Condition> readValue(
      YamlNode.Text text, Part part, String field, String list, boolean blocks) {
    List<String> alternatives = part.singleValues();
    String value = text.value().strip();
    if (text.isNull() || value.isEmpty()) {
      problems.error(text.location(), field, "nothing", "a caller");
      return List.of();
    }
    if (alternatives.isEmpty()) {
      String expected = "a rule that counts by one value; list the parts in per instead of all";
      problems.error(text.location(), field, value, expected);
      return List.of();
    }
    if (isAddress(value, part)) {
      return readNetwork(text, field)
          .map(network -> List.of(MatchSyntax.inside(List.of(network))))
          .orElse(List.of());
    }
    if (alternatives.contains("ip") && LOOKS_LIKE_ADDRESS.matcher(value).matches()) {
      // Read as a name, it would match a client that sends it as an API key, and no address.
      problems.error(text.location(), field, value, "an address or a network, such as 10.0.0.0/8");
      return List.of();
    }
    List<String> names =
        alternatives.stream().filter(alternative -> !alternative.equals("ip")).toList();
    if (names.isEmpty()) {
      String expected = "an address or a network, which is what the rule counts by";
      problems.error(text.location(), field, value, expected);
    } else {
      lint.check(text, names, field, list, blocks);
    }
    return names.stream()
        .map(alternative -> Condition.oneOf(alternative, matches.canonical(alternative, value)))
        .toList();
  }
}

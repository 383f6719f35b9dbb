package dev.weir.yaml;

import dev.weir.http.Ip;
import dev.weir.http.Network;
import dev.weir.rule.Condition;
import dev.weir.rule.Identity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads whom an exception of a rule is for.
 *
 * <p>A bare value fits a caller by whichever way it is known; {@code {subject: acme}} only one that
 * is known by that way. An address or a network fits only a caller known by its address, and any
 * other value only one known by something else: nobody gets onto the list of 10.0.0.0/8 by sending
 * an API key of that name.
 */
final class CallerSyntax {
  /** The most combinations of ways that one exception may stand for. */
  private static final int MAX_COMBINATIONS = 1_000;

  /** Digits and dots, or groups of hexadecimal digits and colons, whatever comes after a slash. */
  private static final Pattern ALMOST_ADDRESS =
      Pattern.compile("(\\d++(\\.\\d*+)++|[0-9A-Fa-f]*+(:[0-9A-Fa-f.]*+){2,})([/-].*+)?");

  private final List<Identity> per;
  private final boolean perTold;
  private final Identities identities;
  private final MatchSyntax matches;
  private final Problems problems;
  private final CallerLint lint;

  /**
   * @param perTold whether something is wrong with {@code per} itself
   * @param match what the rule asks of requests: no exception is for others
   */
  CallerSyntax(
      List<Identity> per,
      boolean perTold,
      Identities identities,
      MatchSyntax matches,
      List<Condition> match,
      Problems problems) {
    this.per = per;
    this.perTold = perTold;
    this.identities = identities;
    this.matches = matches;
    this.problems = problems;
    this.lint = new CallerLint(identities, matches, match, problems);
  }

  /** A part of the identity that a rule counts by, and the ways in which a caller may be known. */
  record Part(int index, List<List<String>> ways) {
    /** The ways that are one value, which a text can name. */
    List<String> single() {
      return ways.stream().filter(way -> way.size() == 1).map(way -> way.get(0)).toList();
    }
  }

  /** The only part of a rule that has one. */
  Part only() {
    return new Part(0, per.get(0).alternatives());
  }

  /** The part that somebody calls so: by its name in {@code per}, or by one of its ways. */
  Optional<Part> part(Node.Text key, String field) {
    String name = key.value().strip();
    for (int i = 0; i < per.size(); i++) {
      if (per.get(i).name().equals(name)) {
        return Optional.of(new Part(i, per.get(i).alternatives()));
      }
    }
    List<List<String>> ways = identities.find(name).map(Identity::alternatives).orElse(List.of());
    for (int i = 0; i < per.size(); i++) {
      if (!ways.isEmpty() && per.get(i).alternatives().containsAll(ways)) {
        return Optional.of(new Part(i, ways));
      }
    }
    if (!perTold) {
      String expected = per.isEmpty() ? "a rule with per" : Words.expected(name, names());
      problems.error(key.place(), field, name, expected);
    }
    return Optional.empty();
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < per.size(); i++) {
      names.add(per.get(i).name());
      new Part(i, per.get(i).alternatives())
          .single().stream().map(identities::nameOf).forEach(names::add);
    }
    return names;
  }

  /** Whether a text names an address or a network, where callers are known by address. */
  static boolean isAddress(String value, Part part) {
    int slash = value.indexOf('/');
    return part.ways().contains(List.of("ip"))
        && Ip.parse(slash < 0 ? value : value.substring(0, slash)) != null;
  }

  Optional<Network> network(Node.Text text, String field) {
    return Section.made(text, field, ignored -> Network.parse(text.value().strip()), problems);
  }

  /** {@code {tenant: [acme, globex], path: /search}}, as every combination of conditions. */
  List<Map<Integer, Condition>> all(Node node, String field, boolean blocks) {
    Section who = Section.open(node, field, problems);
    if (who.isMapping() && who.fields().isEmpty()) {
      problems.error(node.place(), field, "nobody", "a caller, such as {tenant: acme}");
    }
    Map<Integer, String> parts = new HashMap<>();
    List<Map<Integer, Condition>> callers = List.of(Map.of());
    for (Node.Field one : who.fields()) {
      String key = one.key().value();
      Optional<Part> part = part(one.key(), field);
      if (part.isEmpty()) {
        continue;
      }
      String other = parts.putIfAbsent(part.get().index(), key);
      if (other != null) {
        String expected = "another part of per than " + Problems.shown(other);
        problems.error(one.key().place(), field, key, expected);
        continue;
      }
      List<Condition> ways = new ArrayList<>();
      who.texts(key).forEach(text -> ways.addAll(one(text, part.get(), key, field, blocks)));
      if ((long) callers.size() * ways.size() > MAX_COMBINATIONS) {
        String value = (long) callers.size() * ways.size() + " combinations";
        problems.error(node.place(), field, value, "at most " + MAX_COMBINATIONS);
        return List.of();
      }
      callers = combined(callers, part.get().index(), ways);
    }
    return parts.isEmpty() ? List.of() : callers;
  }

  private static List<Map<Integer, Condition>> combined(
      List<Map<Integer, Condition>> callers, int part, List<Condition> ways) {
    List<Map<Integer, Condition>> combined = new ArrayList<>();
    for (Map<Integer, Condition> caller : callers) {
      for (Condition way : ways) {
        Map<Integer, Condition> both = new HashMap<>(caller);
        both.put(part, way);
        combined.add(both);
      }
    }
    return combined;
  }

  /**
   * A condition for each way by which a caller may be this one.
   *
   * @param field how an error calls the value
   * @param list what the value stands in
   * @param blocks whether it takes something from the caller, so that nobody will claim to be it
   */
  List<Condition> one(Node.Text text, Part part, String field, String list, boolean blocks) {
    List<String> ways = part.single();
    String value = text.value().strip();
    if (text.isNothing() || value.isEmpty()) {
      problems.error(text.place(), field, "nothing", "a caller");
      return List.of();
    }
    if (ways.isEmpty()) {
      String expected = "a rule that counts by one value; list the parts in per instead of all";
      problems.error(text.place(), field, value, expected);
      return List.of();
    }
    if (isAddress(value, part)) {
      return network(text, field)
          .map(network -> List.of(MatchSyntax.inside(List.of(network))))
          .orElse(List.of());
    }
    if (ways.contains("ip") && ALMOST_ADDRESS.matcher(value).matches()) {
      // Taken for a name it would let in whoever sends it as an API key, and no address.
      problems.error(text.place(), field, value, "an address or a network, such as 10.0.0.0/8");
      return List.of();
    }
    List<String> names = ways.stream().filter(way -> !way.equals("ip")).toList();
    if (names.isEmpty()) {
      String expected = "an address or a network, which is what the rule counts by";
      problems.error(text.place(), field, value, expected);
    } else {
      lint.check(text, names, field, list, blocks);
    }
    return names.stream().map(way -> Condition.oneOf(way, matches.canonical(way, value))).toList();
  }
}

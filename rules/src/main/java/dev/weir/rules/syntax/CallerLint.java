package dev.weir.rules.syntax;

import dev.weir.http.address.Ip;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Warns of exceptions that match no caller, and of those that any client can claim. */
final class CallerLint {
  private final IdentitySyntax identities;
  private final MatchSyntax matches;
  private final List<Condition> match;
  private final Problems problems;

  /** The lists with a warning of claimable names, which is given once for each list. */
  private final Set<String> warnedLists = new HashSet<>();

  /**
   * A lint for the exceptions of one rule.
   *
   * @param match the conditions of the rule; no exception applies to other requests
   */
  CallerLint(
      IdentitySyntax identities, MatchSyntax matches, List<Condition> match, Problems problems) {
    this.identities = identities;
    this.matches = matches;
    this.match = match;
    this.problems = problems;
  }

  /**
   * Checks one caller of an exception.
   *
   * @param alternatives the values that may identify it, without its address
   * @param field the name of the value in warnings
   * @param list the list that contains the value
   * @param blocks whether the exception blocks, so that no client will claim to be the caller
   */
  void check(
      YamlNode.Text text, List<String> alternatives, String field, String list, boolean blocks) {
    String value = text.value().strip();
    String what = field + ": " + Problems.shown(value);
    Optional<String> never = whyNeverMatches(value, alternatives, blocks);
    never.ifPresent(why -> problems.warning(text.location(), LintCodes.NEVER_MATCHES, what + why));
    if (never.isEmpty() && alternatives.equals(List.of("method"))) {
      HttpMethods.warning(matches.canonical("method", value))
          .ifPresent(
              doubt ->
                  problems.warning(
                      text.location(), LintCodes.UNKNOWN_METHOD, field + ": " + doubt));
    }
    if (!blocks) {
      warnIfClaimable(text, alternatives, field, list);
    }
  }

  /** Why no caller can have this value; empty if one can. */
  private Optional<String> whyNeverMatches(
      String value, List<String> alternatives, boolean blocks) {
    List<String> instead = new ArrayList<>();
    for (String alternative : alternatives) {
      matches
          .suggestion(alternative, matches.canonical(alternative, value))
          .ifPresent(instead::add);
    }
    if (instead.size() == alternatives.size()) {
      return Optional.of(" never matches (write " + instead.get(0) + ")");
    }
    // Envoy sends a masked address as an entry.
    if (isNetwork(value)
        && alternatives.stream().noneMatch(alternative -> alternative.startsWith("entry "))) {
      String network = Problems.shown(value);
      String remedy =
          blocks ? "a rule with match: {ip: " + network + "} and limit: blocked" : "per: ip";
      return Optional.of(
          " is a network, but the rule knows callers by "
              + Problems.shown(String.join(" or ", alternatives))
              + " (use "
              + remedy
              + ")");
    }
    return alternatives.stream().allMatch(alternative -> isExcludedByMatch(alternative, value))
        ? Optional.of(" never matches, since match leaves it out")
        : Optional.empty();
  }

  private static boolean isNetwork(String value) {
    int slash = value.indexOf('/');
    return slash > 0
        && Ip.parse(value.substring(0, slash)) != null
        && value.substring(slash + 1).matches("\\d{1,3}");
  }

  /** Whether the conditions of the rule exclude requests with this value. */
  private boolean isExcludedByMatch(String alternative, String value) {
    String canonical = matches.canonical(alternative, value);
    return match.stream().anyMatch(one -> one.name().equals(alternative) && !one.test(canonical));
  }

  /** A name that one client proves in one alternative, another may claim in a forgeable one. */
  private void warnIfClaimable(
      YamlNode.Text text, List<String> alternatives, String field, String list) {
    Optional<String> forgeable = alternatives.stream().filter(ValueTrust::isForgeable).findFirst();
    Optional<String> verified = alternatives.stream().filter(ValueTrust::isVerified).findFirst();
    if (forgeable.isPresent() && verified.isPresent() && warnedLists.add(list)) {
      String value = Problems.shown(text.value().strip());
      String alternative = identities.nameOf(verified.get());
      String pinned =
          switch (list) {
            case "overrides" -> "- {for: {" + alternative + ": " + value + "}, limit: …}";
            case "tier" -> alternative + ": {" + value + ": …}";
            default -> "{" + alternative + ": " + value + "}";
          };
      problems.warning(
          text.location(),
          LintCodes.CLAIMABLE_NAME,
          field
              + ": anyone can claim to be "
              + value
              + " by sending "
              + Problems.shown(forgeable.get())
              + " (write "
              + pinned
              + " for the one known by "
              + Problems.shown(verified.get())
              + ")");
    }
  }
}

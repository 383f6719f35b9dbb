package dev.weir.yaml;

import dev.weir.http.Ip;
import dev.weir.rule.Condition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for exceptions that are for nobody, and for those that anybody can claim. */
final class CallerLint {
  private final Identities identities;
  private final MatchSyntax matches;
  private final List<Condition> match;
  private final Problems problems;

  /** Lists of which it has been told, once for all their names, that names can be claimed. */
  private final Set<String> claimable = new HashSet<>();

  /**
   * @param match what the rule asks of requests: no exception is for others
   */
  CallerLint(Identities identities, MatchSyntax matches, List<Condition> match, Problems problems) {
    this.identities = identities;
    this.matches = matches;
    this.match = match;
    this.problems = problems;
  }

  /**
   * Looks at one caller of an exception.
   *
   * @param ways by which it may be known, without its address
   * @param field how a warning calls the value
   * @param list what the value stands in
   * @param blocks whether the exception blocks, so that nobody will claim to be the caller
   */
  void check(Node.Text text, List<String> ways, String field, String list, boolean blocks) {
    String value = text.value().strip();
    String what = field + ": " + Problems.shown(value);
    Optional<String> nobody = nobody(value, ways, blocks);
    nobody.ifPresent(why -> problems.warning(text.place(), Lint.NEVER_MATCHES, what + why));
    if (nobody.isEmpty() && ways.equals(List.of("method"))) {
      Methods.doubt(matches.canonical("method", value))
          .ifPresent(doubt -> problems.warning(text.place(), Lint.METHOD, field + ": " + doubt));
    }
    if (!blocks) {
      warnOfClaims(text, ways, field, list);
    }
  }

  /** Why no caller is called so; empty if one can be. */
  private Optional<String> nobody(String value, List<String> ways, boolean blocks) {
    List<String> instead = new ArrayList<>();
    for (String way : ways) {
      matches.remedy(way, matches.canonical(way, value)).ifPresent(instead::add);
    }
    if (instead.size() == ways.size()) {
      return Optional.of(" never matches (write " + instead.get(0) + ")");
    }
    // Envoy sends a masked address as an entry.
    if (isNetwork(value) && ways.stream().noneMatch(way -> way.startsWith("entry "))) {
      String network = Problems.shown(value);
      String remedy =
          blocks ? "a rule with match: {ip: " + network + "} and limit: blocked" : "per: ip";
      return Optional.of(
          " is a network, but the rule knows callers by "
              + Problems.shown(String.join(" or ", ways))
              + " (use "
              + remedy
              + ")");
    }
    return ways.stream().allMatch(way -> isLeftOut(way, value))
        ? Optional.of(" never matches, since match leaves it out")
        : Optional.empty();
  }

  private static boolean isNetwork(String value) {
    int slash = value.indexOf('/');
    return slash > 0
        && Ip.parse(value.substring(0, slash)) != null
        && value.substring(slash + 1).matches("\\d{1,3}");
  }

  /** Whether the rule is not about requests of which this value is so. */
  private boolean isLeftOut(String way, String value) {
    String canonical = matches.canonical(way, value);
    return match.stream().anyMatch(one -> one.name().equals(way) && !one.test(canonical));
  }

  /** What somebody proves in one way, somebody else may say in another. */
  private void warnOfClaims(Node.Text text, List<String> ways, String field, String list) {
    Optional<String> said = ways.stream().filter(Forgery::isForgeable).findFirst();
    Optional<String> proved = ways.stream().filter(Forgery::isVerified).findFirst();
    if (said.isPresent() && proved.isPresent() && claimable.add(list)) {
      String value = Problems.shown(text.value().strip());
      String way = identities.nameOf(proved.get());
      String pinned =
          switch (list) {
            case "overrides" -> "- {for: {" + way + ": " + value + "}, limit: …}";
            case "tier" -> way + ": {" + value + ": …}";
            default -> "{" + way + ": " + value + "}";
          };
      problems.warning(
          text.place(),
          Lint.CLAIMABLE,
          field
              + ": anyone can claim to be "
              + value
              + " by sending "
              + Problems.shown(said.get())
              + " (write "
              + pinned
              + " for the one known by "
              + Problems.shown(proved.get())
              + ")");
    }
  }
}

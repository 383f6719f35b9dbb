package dev.weir.cli.doctor.plan;

import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes up callers of one kind for one rule, known by the same values of their requests. */
public final class Trial {
  private static final int MAX_PATTERNS = 8;

  private final Rule rule;
  private final RequestTemplate template;
  private final Callers callers;
  private final List<String> identity;

  /** Which of the patterns of paths, where each path has a counter of its own. */
  private final int pattern;

  private Trial(
      Rule rule, RequestTemplate template, Callers callers, List<String> identity, int pattern) {
    this.rule = rule;
    this.template = template;
    this.callers = callers;
    this.identity = identity;
    this.pattern = pattern;
  }

  /** A trial for each way in which a client can be known to the rule; at least one. */
  static List<Trial> of(Rule rule, RequestTemplate template, Callers callers) {
    List<List<List<String>>> ways = new ArrayList<>();
    rule.per()
        .forEach(
            one ->
                ways.add(
                    one.alternatives().stream()
                        .filter(names -> names.stream().allMatch(Trial::isSendable))
                        .toList()));
    int trials = ways.stream().mapToInt(List::size).max().orElse(1);
    List<Trial> all = new ArrayList<>();
    for (int i = 0; i < Math.max(1, trials); i++) {
      List<String> identity = new ArrayList<>();
      for (List<List<String>> way : ways) {
        if (!way.isEmpty()) {
          identity.addAll(way.get(Math.min(i, way.size() - 1)));
        }
      }
      int patterns = identity.contains(Condition.Path.NAME) ? patterns(rule) : 1;
      for (int pattern = 0; pattern < patterns; pattern++) {
        all.add(new Trial(rule, template, callers, List.copyOf(identity), pattern));
      }
    }
    return all;
  }

  private static int patterns(Rule rule) {
    int most = 1;
    for (Condition condition : rule.match()) {
      most = condition instanceof Condition.Path path ? path.patterns().size() : most;
    }
    return Math.min(MAX_PATTERNS, most);
  }

  private static boolean isSendable(String name) {
    return name.matches("ip|ip exact|path|host|method|(header|cookie) .*");
  }

  /** The rule. */
  public Rule rule() {
    return rule;
  }

  /** The names of the values by which the rule knows these callers; empty if it knows nobody. */
  public List<String> identity() {
    return identity;
  }

  /** Whether the rule knows these callers by their address. */
  public boolean isByAddress() {
    return identity.contains("ip") || identity.contains("ip exact");
  }

  /** Whether the rule knows these callers by something that a client sends. */
  public boolean isByHeader() {
    return identity.stream().anyMatch(name -> name.matches("(header|cookie) .*"));
  }

  /** A request of a caller that no rule has counted before. */
  public ProbeRequest fresh() throws Unsendable {
    ProbeRequest request = new RequestSampler(rule, template, callers).sample(pattern);
    for (String name : identity) {
      if (name.startsWith("cookie ")) {
        request = request.withCookie(name.substring("cookie ".length()), callers.name());
      } else if (name.startsWith("header ") && !isGiven(name.substring("header ".length()))) {
        request = request.with(name.substring("header ".length()), callers.name());
      }
    }
    String networks =
        rule.match().stream()
            .filter(Trial::isAboutAddress)
            .map(Condition::expected)
            .findFirst()
            .orElse("");
    var address =
        callers.address(
            one ->
                rule.match().stream()
                    .filter(Trial::isAboutAddress)
                    .allMatch(condition -> condition.test(one)));
    if (address.isPresent()) {
      return request.from(address.get());
    }
    if (isByAddress() || !networks.isEmpty()) {
      throw new Unsendable(
          "it needs callers with different addresses"
              + (networks.isEmpty() ? "" : " in " + networks)
              + ", and this machine has none that reach the gateway and are no trusted proxies");
    }
    return request;
  }

  private boolean isGiven(String header) {
    return template.has(header)
        || rule.match().stream()
            .anyMatch(one -> one.name().equals("header " + header.toLowerCase(Locale.ROOT)));
  }

  private static boolean isAboutAddress(Condition condition) {
    return condition.name().startsWith("ip");
  }

  /** What the trial tries, such as {@code ip}. */
  @Override
  public String toString() {
    String known = identity.isEmpty() ? "everybody together" : String.join(" and ", identity);
    return pattern == 0 ? known : known + " " + (pattern + 1);
  }
}

package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.http.CanonicalPath;
import dev.weir.http.HttpReader;
import dev.weir.rule.Condition;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Looks for rules that work, but hardly as meant. */
final class Lint {
  static final String NEVER_MATCHES = "never-matches";
  static final String COST = "burst-below-cost";
  static final String FORGEABLE = "forgeable-key";
  static final String LOGIN = "weak-login-limit";
  static final String TWICE = "counted-twice";
  static final String CLAIMABLE = "claimable-name";
  static final String RELEASE = "needs-release";
  static final String METHOD = "unknown-method";
  static final Set<String> CODES =
      Set.of(
          NEVER_MATCHES,
          COST,
          FORGEABLE,
          LOGIN,
          TWICE,
          CLAIMABLE,
          RELEASE,
          METHOD,
          EffectLint.NO_LIMIT,
          TrustLint.WIDE,
          TrustLint.MUST_SET,
          ModeLint.STRICTLY,
          ModeLint.NOT_ASKED);

  private static final String TRUSTED_HEADER = "trusted-header ";

  /** How other languages write {@code /users/{id}}. */
  private static final Pattern COLON_NAME = Pattern.compile("/:([A-Za-z0-9_-]+)(?=/|$)");

  private static final Pattern LOGIN_WORDS =
      Pattern.compile(
          "(?<![a-z])(log-?in|sign-?in|passw[a-z]*|otp|2fa|mfa|tokens?|o?auth2?)(?![a-z])",
          Pattern.CASE_INSENSITIVE);

  private final List<RuleSyntax.Read> rules;
  private final Set<String> trustedHeaders = new TreeSet<>();
  private final boolean keysTold;
  private final boolean proxiesTold;
  private final Problems problems;
  private final Forgery forgery;
  private final ModeLint modes;
  private final EffectLint effects;

  /**
   * @param keysTold whether the files have a section on tokens, be it wrong
   * @param proxiesTold the same for proxies
   */
  Lint(List<RuleSyntax.Read> rules, boolean keysTold, boolean proxiesTold, Problems problems) {
    this.rules = rules;
    this.keysTold = keysTold;
    this.proxiesTold = proxiesTold;
    this.problems = problems;
    this.forgery = new Forgery(problems);
    this.modes = new ModeLint(problems);
    this.effects = new EffectLint(problems);
  }

  void run() {
    Map<Object, Rule> counted = new HashMap<>();
    for (RuleSyntax.Read read : rules) {
      values(read);
      if (!read.sound()) {
        continue; // nobody knows what the whole rule would have been
      }
      neverMatches(read);
      cost(read);
      forgery.check(read);
      login(read);
      twice(read, counted);
      release(read);
      modes.check(read);
      effects.check(read);
    }
  }

  /** The headers that rules believe if a trusted proxy sends them. */
  Set<String> trustedHeaders() {
    return trustedHeaders;
  }

  /** Paths are compared in canonical form, so a pattern in another form fits none. */
  private void neverMatches(RuleSyntax.Read read) {
    for (Condition condition : read.rule().match()) {
      if (condition instanceof Condition.Path path) {
        path.patterns().forEach(pattern -> canonical(read, pattern.toString()));
      }
    }
  }

  private void canonical(RuleSyntax.Read read, String pattern) {
    CanonicalPath canonical = CanonicalPath.of(pattern, true);
    if (!canonical.canBe(pattern)) {
      problems.warning(
          read.section().place("match"),
          NEVER_MATCHES,
          "path: "
              + Problems.shown(pattern)
              + " never matches, since paths are decoded before they are compared (write "
              + MatchSyntax.spelling(canonical)
              + ")");
    }
    String braces = COLON_NAME.matcher(pattern).replaceAll("/{$1}");
    if (!braces.equals(pattern)) {
      problems.warning(
          read.section().place("match"),
          NEVER_MATCHES,
          "path: "
              + Problems.shown(pattern)
              + " matches only a path with that colon (did you mean "
              + Problems.shown(braces)
              + "?)");
    }
  }

  /** Values that no request can have: jwt without keys, trusted headers without trusted proxies. */
  private void values(RuleSyntax.Read read) {
    Set<String> names = new HashSet<>();
    read.rule().match().forEach(condition -> names.add(condition.name()));
    read.rule().per().forEach(one -> one.alternatives().forEach(names::addAll));
    read.rule().tiers().map(tiers -> tiers.value()).ifPresent(names::add);
    if (read.rule().cost().value() != null) {
      names.add(read.rule().cost().value());
    }
    for (String name : names) {
      if (name.startsWith(TRUSTED_HEADER)) {
        trustedHeaders.add(name.substring(TRUSTED_HEADER.length()));
      }
      Place place = read.section().place();
      String shown = Problems.shown(name);
      if (name.startsWith("jwt ") && !keysTold) {
        String expected = "a jwt section with the keys to verify it";
        problems.error(place, read.rule().name(), name, expected);
      } else if (name.startsWith(TRUSTED_HEADER) && !proxiesTold) {
        problems.warning(
            place,
            NEVER_MATCHES,
            read.rule().name() + ": " + shown + " is always absent without trusted-proxies");
      } else if (!isOfDescriptor(name) && HttpReader.problem(name) != null) {
        problems.error(place, String.valueOf(HttpReader.problem(name)));
      }
    }
  }

  /** What a client of Envoy's rate limit service says, and no request of HTTP has. */
  private static boolean isOfDescriptor(String name) {
    return name.equals("domain") || name.startsWith("entry ");
  }

  private void cost(RuleSyntax.Read read) {
    Rule rule = read.rule();
    long cost = rule.cost().ceiling();
    for (var allowance : rule.allowances()) {
      for (Limit written : allowance.limits()) {
        Limit limit = rule.kept(written);
        if (limit.capacity() < cost) {
          String what = limit.algorithm() == Algorithm.TOKEN_BUCKET ? "burst" : "room";
          problems.warning(
              read.section().place(read.section().has("burst") ? "burst" : "cost"),
              COST,
              rule.name()
                  + ": a request that costs "
                  + cost
                  + " never passes, with "
                  + what
                  + " for "
                  + limit.capacity());
          return;
        }
      }
    }
  }

  private void login(RuleSyntax.Read read) {
    Rule rule = read.rule();
    boolean approximate =
        rule.allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .anyMatch(limit -> limit.algorithm() == Algorithm.SLIDING_COUNTER);
    boolean secret =
        rule.match().stream()
            .anyMatch(
                condition ->
                    condition instanceof Condition.Path
                        && LOGIN_WORDS.matcher(condition.expected()).find());
    if (approximate && secret) {
      problems.warning(
          read.section().place("algorithm"),
          LOGIN,
          rule.name()
              + ": sliding-counter lets an attacker try nearly twice the limit in one"
              + " window (use sliding-log)");
    }
  }

  /** The conditions of a rule in words, since tests are never equal. */
  private static Set<List<String>> asked(Rule rule) {
    Set<List<String>> asked = new HashSet<>();
    rule.match().forEach(one -> asked.add(List.of(one.name(), one.expected())));
    return asked;
  }

  private void twice(RuleSyntax.Read read, Map<Object, Rule> counted) {
    Rule rule = read.rule();
    Set<Object> windows = new HashSet<>();
    for (Limit limit : rule.allowance().limits()) {
      boolean rate = limit.algorithm() != Algorithm.CONCURRENCY;
      if (rate && !windows.add(List.of(limit.windowMicros(), limit.calendar()))) {
        problems.warning(
            read.section().place("limit"),
            TWICE,
            rule.name() + ": two limits on the same window (the smaller one alone would do)");
      }
      if (rule.enforced() == 0) {
        continue; // a trial beside the rule it may replace
      }
      Object same =
          List.of(
              asked(rule),
              rule.per().stream().map(Identity::alternatives).toList(),
              rule.cost(),
              limit.algorithm(),
              limit.window(),
              limit.calendar());
      Rule first = counted.putIfAbsent(same, rule);
      if (first != null && !first.name().equals(rule.name())) {
        problems.warning(
            read.section().place("name"),
            TWICE,
            rule.name()
                + ": counts the same requests, by the same callers, in the same window as "
                + first.name());
      }
    }
  }

  /** A limit on what is in flight is no limit for a gateway that only asks. */
  private void release(RuleSyntax.Read read) {
    boolean holds =
        read.rule().allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
    if (holds) {
      problems.warning(
          read.section().place("concurrent"),
          RELEASE,
          read.rule().name()
              + ": concurrent holds only where the end of a request is told; /v1/check leaves it"
              + " out (use /v1/decide and /v1/release, and ignore this)");
    }
  }
}

package dev.weir.cli.size;

import dev.weir.Limit;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.size.model.SizedLimit;
import dev.weir.cli.terminal.Wording;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.Spelling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The limits of a rules file: whose counters each rule has, and how many. */
final class RuleLimits {
  private static final long MAX_CALLERS = SizeCommand.MAX_USERS;

  private final RuleSet set;
  private final List<Rule> rules;
  private final List<String> notes = new ArrayList<>();

  private RuleLimits(RuleSet set) {
    this.set = set;
    this.rules = Stream.concat(set.book().rules().stream(), set.calls().stream()).toList();
  }

  /**
   * Reads a file or a directory of rules.
   *
   * @throws Failure if it cannot be read, or is refused
   */
  static RuleLimits in(Path file, Map<String, String> environment) throws Failure {
    KeySpace anyKeys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    try {
      RulesLoader loader = new RulesLoader(anyKeys, environment).forAnyService();
      return new RuleLimits(loader.load(Input.rules(file)));
    } catch (RulesRejected e) {
      var first = e.problems().get(0);
      throw new Failure(ExitCode.REFUSED, first.location() + ": " + first.message());
    }
  }

  /**
   * The limits, of which those of rules with {@code per} count each of the users.
   *
   * @param overrides as {@code RULE=N}
   */
  List<SizedLimit> limits(long users, List<String> overrides) {
    Map<String, Long> callers = callers(overrides);
    List<SizedLimit> limits = new ArrayList<>();
    for (Rule rule : rules) {
      long counted = callers.getOrDefault(rule.name(), rule.per().isEmpty() ? 1L : users);
      for (Limit limit : usual(rule).limits()) {
        limits.add(new SizedLimit(rule.name(), rule.perServer(limit), rule.mode(), counted));
      }
    }
    if (set.domains().size() > 0) {
      notes.add(Wording.count(set.domains().size(), "descriptor") + " of domains: not counted");
    }
    return limits;
  }

  /** What was left out or assumed. */
  List<String> notes() {
    return notes;
  }

  private Allowance usual(Rule rule) {
    if (rule.tiers().isEmpty()) {
      return rule.allowance();
    }
    Tiers tiers = rule.tiers().get();
    notes.add(rule.name() + ": every caller has the default tier, " + tiers.fallback());
    return tiers.allowance(null);
  }

  private Map<String, Long> callers(List<String> overrides) {
    List<String> names = rules.stream().map(Rule::name).toList();
    Map<String, Long> callers = new LinkedHashMap<>();
    for (String text : overrides) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw Flag.invalid("--callers", text, "RULE=N, such as login=5000");
      }
      String name = text.substring(0, equals);
      if (!names.contains(name)) {
        throw Flag.invalid("--callers", name, "a rule: " + Spelling.expected(name, names));
      }
      String number = text.substring(equals + 1);
      long count = Flag.integer("--callers: " + name, number, 1, MAX_CALLERS);
      if (callers.put(name, count) != null) {
        throw Flag.invalid("--callers", name + " twice", "each rule once");
      }
    }
    return callers;
  }
}

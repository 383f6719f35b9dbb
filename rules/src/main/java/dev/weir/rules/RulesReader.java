package dev.weir.rules;

import dev.weir.rule.book.RuleBook;
import dev.weir.rules.gateway.syntax.GatewaySyntax;
import dev.weir.rules.syntax.CallSyntax;
import dev.weir.rules.syntax.CostSyntax;
import dev.weir.rules.syntax.IdentitySyntax;
import dev.weir.rules.syntax.MatchSyntax;
import dev.weir.rules.syntax.PriceSyntax;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.syntax.SettingsSyntax;
import dev.weir.rules.syntax.TierSyntax;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads the identities, the tiers, the rules and the calls of several files as if they were one.
 */
final class RulesReader {
  private final List<Section> files;
  private final Problems problems;
  private final IdentitySyntax identities;
  private final TierSyntax tiers;
  private final PriceSyntax prices;

  /**
   * A reader of these files.
   *
   * @param incomplete whether other files could not be read, which may define what is missing here
   */
  RulesReader(List<Section> files, boolean incomplete, Problems problems) {
    this.files = files;
    this.problems = problems;
    this.identities = new IdentitySyntax(problems);
    this.tiers = new TierSyntax(identities, problems);
    this.prices = new PriceSyntax(problems);
    if (incomplete) {
      identities.markIncomplete();
      tiers.markIncomplete();
      prices.markIncomplete();
    }
  }

  /** The rules for requests, and those that code asks for by name. */
  record Parsed(List<RuleSyntax.ParsedRule> rules, List<RuleSyntax.ParsedRule> calls) {
    List<RuleSyntax.ParsedRule> all() {
      return Stream.concat(rules.stream(), calls.stream()).toList();
    }
  }

  /**
   * Reads the rules and the calls.
   *
   * @param required whether it is an error if no file has any
   */
  Parsed read(boolean required, boolean pathCaseSensitive) {
    readIdentities();
    readTiers();
    readPrices();
    boolean none = files.stream().noneMatch(file -> file.has("rules") || file.has("calls"));
    if (none && required && !files.isEmpty() && !problems.hasErrors()) {
      // The first half of a file that is being written looks like this; it must not lift all
      // limits.
      problems.error(files.get(0).location(), "rules", "nothing", "a list of rules");
    }
    files.forEach(this::refuseWithoutContent);
    MatchSyntax matches = matches(pathCaseSensitive);
    CostSyntax costs = new CostSyntax(identities, prices, problems);
    RuleSyntax rules = new RuleSyntax(identities, tiers, matches, costs, problems);
    Parsed parsed =
        new Parsed(
            readList("rules", RuleBook.MAX_RULES, rules::read),
            readList("calls", CallSyntax.MAX_CALLS, new CallSyntax(problems)::read));
    refuseDuplicateNames(parsed.all());
    return parsed;
  }

  /** Reads the elements of a list that every file may have. */
  private List<RuleSyntax.ParsedRule> readList(
      String key, int max, Function<YamlNode, Optional<RuleSyntax.ParsedRule>> syntax) {
    List<RuleSyntax.ParsedRule> parsed = new ArrayList<>();
    for (Section file : files) {
      for (YamlNode node : nodes(file, key, max)) {
        if (!problems.isFull()) {
          syntax.apply(node).ifPresent(parsed::add);
        }
      }
    }
    if (parsed.size() > max) {
      SourceLocation last = parsed.get(parsed.size() - 1).section().location();
      problems.error(last, key, parsed.size() + " " + key, "at most " + max + " in all files");
    }
    return parsed;
  }

  /** A reader of conditions, which knows the identities once {@link #read} has read them. */
  MatchSyntax matches(boolean pathCaseSensitive) {
    return new MatchSyntax(identities, pathCaseSensitive, problems);
  }

  private void readIdentities() {
    for (Section file : files) {
      YamlNode identity = file.node("identity");
      if (identity == null && !file.lacks("identity")) {
        identities.markIncomplete();
      } else if (identity != null) {
        identities.define(Section.open(identity, "identity", problems));
      }
    }
    identities.resolveAll();
  }

  private void readTiers() {
    for (Section file : files) {
      YamlNode tier = file.node("tiers");
      if (tier == null && !file.lacks("tiers")) {
        tiers.markIncomplete();
      } else if (tier != null) {
        tiers.define(Section.open(tier, "tiers", problems));
      }
    }
  }

  private void readPrices() {
    for (Section file : files) {
      YamlNode price = file.node("prices");
      if (price == null && !file.lacks("prices")) {
        prices.markIncomplete();
      } else if (price != null) {
        prices.define(Section.open(price, "prices", problems));
      }
    }
  }

  private List<YamlNode> nodes(Section file, String key, int max) {
    YamlNode node = file.node(key);
    if (node instanceof YamlNode.Items items && items.items().size() <= max) {
      return items.items();
    }
    if (node instanceof YamlNode.Items items) {
      problems.error(node.location(), key, items.items().size() + " " + key, "at most " + max);
    } else if (node != null) {
      problems.error(node.location(), key, node.kind(), "a list of " + key);
    }
    return List.of();
  }

  private void refuseWithoutContent(Section file) {
    if (file.lacks("rules", "calls", "identity", "tiers", "prices")
        && !SettingsSyntax.isConfiguredIn(file)
        && !GatewaySyntax.isConfiguredIn(file)) {
      problems.error(file.location(), "rules", "nothing", "a list of rules");
    }
  }

  private void refuseDuplicateNames(List<RuleSyntax.ParsedRule> rules) {
    Map<String, SourceLocation> names = new HashMap<>();
    for (RuleSyntax.ParsedRule parsed : rules) {
      SourceLocation location = parsed.section().location("name");
      SourceLocation first = names.putIfAbsent(parsed.rule().name(), location);
      if (first != null) {
        // An alias repeats the name itself, so the error points at the alias, which can be changed.
        SourceLocation second = location.equals(first) ? parsed.section().location() : location;
        problems.error(
            second, "name", parsed.rule().name(), "each name once; the first is at " + first);
      }
    }
  }
}

package dev.weir.rules;

import dev.weir.rule.book.RuleBook;
import dev.weir.rules.gateway.syntax.GatewaySyntax;
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

/** Reads the identities, the tiers and the rules of several files as if they were one. */
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

  /**
   * Reads the rules.
   *
   * @param required whether it is an error if no file has rules
   */
  List<RuleSyntax.ParsedRule> read(boolean required, boolean pathCaseSensitive) {
    readIdentities();
    readTiers();
    readPrices();
    boolean none = files.stream().noneMatch(file -> file.has("rules"));
    if (none && required && !files.isEmpty() && !problems.hasErrors()) {
      // The first half of a file that is being written looks like this; it must not lift all
      // limits.
      problems.error(files.get(0).location(), "rules", "nothing", "a list of rules");
    }
    MatchSyntax matches = matches(pathCaseSensitive);
    CostSyntax costs = new CostSyntax(identities, prices, problems);
    RuleSyntax syntax = new RuleSyntax(identities, tiers, matches, costs, problems);
    List<RuleSyntax.ParsedRule> rules = new ArrayList<>();
    for (Section file : files) {
      for (YamlNode node : ruleNodes(file)) {
        if (!problems.isFull()) {
          syntax.read(node).ifPresent(rules::add);
        }
      }
    }
    if (rules.size() > RuleBook.MAX_RULES) {
      SourceLocation last = rules.get(rules.size() - 1).section().location();
      String expected = "at most " + RuleBook.MAX_RULES + " in all files";
      problems.error(last, "rules", rules.size() + " rules", expected);
    }
    refuseDuplicateNames(rules);
    return rules;
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

  private List<YamlNode> ruleNodes(Section file) {
    YamlNode node = file.node("rules");
    if (node instanceof YamlNode.Items items && items.items().size() <= RuleBook.MAX_RULES) {
      return items.items();
    }
    if (node instanceof YamlNode.Items items) {
      String expected = "at most " + RuleBook.MAX_RULES;
      problems.error(node.location(), "rules", items.items().size() + " rules", expected);
    } else if (node != null) {
      problems.error(node.location(), "rules", node.kind(), "a list of rules");
    } else if (file.lacks("rules", "identity", "tiers", "prices")
        && !SettingsSyntax.isConfiguredIn(file)
        && !GatewaySyntax.isConfiguredIn(file)) {
      problems.error(file.location(), "rules", "nothing", "a list of rules");
    }
    return List.of();
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

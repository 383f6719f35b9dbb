package dev.weir.spring;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.limits.LimitSource;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ResourceLoader;

/** Loads the rules of an application: those of {@code weir.rules} and those in its properties. */
final class RulesFactory {
  private static final String NONE = "rules: []\n";

  private RulesFactory() {}

  static RulesLimiter create(
      Weir weir, WeirProperties properties, ResourceLoader resources, boolean routesHaveLimits) {
    RulesLocation location = RulesLocation.of(properties.rules(), resources);
    Optional<InlineRules> inline = InlineRules.of(properties);
    List<RulesText> texts = new ArrayList<>(location.resource());
    inline.ifPresent(rules -> texts.add(rules.text()));
    if (properties.rules() == null && !inline.map(InlineRules::hasRules).orElse(false)) {
      if (!routesHaveLimits) {
        requireNoWeb(properties);
      }
      texts.add(RulesText.of(InlineRules.NAME, NONE));
    }
    try {
      return weir.rules(location.files(), texts);
    } catch (UncheckedIOException e) {
      throw new WeirStartupException(
          "weir.rules: " + properties.rules() + ": " + e.getMessage(),
          "Make the file readable.",
          e);
    } catch (IllegalArgumentException e) {
      throw rejected(e, inline.orElse(null));
    }
  }

  static RulesLimiter limitsFrom(RulesLimiter rules, LimitSource source) {
    try {
      return rules.limitsFrom(source);
    } catch (IllegalArgumentException e) {
      throw new WeirStartupException(
          "bean of type LimitSource: " + e.getMessage(),
          "Let its rules() name rules or calls of weir.rules, weir.limits or weir.calls that count"
              + " by caller.",
          e);
    }
  }

  /** Refuses settings that a limiter of the application does not have. */
  static void requireUnset(WeirProperties properties, boolean limitSource, Optional<String> bean) {
    requireUnset("weir.rules", properties.rules() != null, bean);
    requireUnset("weir.limits", !properties.limits().isEmpty(), bean);
    requireUnset("weir.calls", !properties.calls().isEmpty(), bean);
    requireUnset("weir.identity", !properties.identity().isEmpty(), bean);
    requireUnset("weir.trusted-proxies", !properties.trustedProxies().isEmpty(), bean);
    requireUnset("bean of type LimitSource", limitSource, bean);
  }

  private static void requireUnset(String setting, boolean set, Optional<String> bean) {
    if (set && bean.isPresent()) {
      throw new WeirStartupException(
          setting
              + ": set (expected: unset, since the application has a RulesLimiter of its own, bean "
              + bean.get()
              + ")",
          "Remove the bean, or leave the setting out and give the bean its rules and limits itself.");
    }
  }

  private static void requireNoWeb(WeirProperties properties) {
    if (properties.web().enabled()) {
      throw new WeirStartupException(
          "weir.rules: none (expected: rules in weir.rules or under weir.limits, since requests are"
              + " to be limited)",
          "Set weir.rules to a rules file, or write rules under weir.limits, such as"
              + " weir.limits.everyone.per=ip and weir.limits.everyone.limit=10/second. If no"
              + " request is to be limited, set weir.web.enabled=false.");
    }
  }

  private static WeirStartupException rejected(
      IllegalArgumentException failure, @Nullable InlineRules inline) {
    if (!(failure.getCause() instanceof RulesRejected rejected)) {
      return new WeirStartupException(
          "weir.rules: " + failure.getMessage(), "Mend the rules.", failure);
    }
    String problems =
        rejected.problems().stream()
            .filter(problem -> problem.severity() == Problem.Severity.ERROR)
            .map(problem -> describe(problem, inline))
            .collect(Collectors.joining("\n    "));
    return new WeirStartupException(
        "The rules are wrong:\n    " + problems,
        "Mend what is named above; docs/rules.md has every key of a rule.",
        rejected);
  }

  private static String describe(Problem problem, @Nullable InlineRules inline) {
    return inline != null && problem.location().file().equals(InlineRules.NAME)
        ? inline.describe(problem)
        : problem.toString();
  }
}

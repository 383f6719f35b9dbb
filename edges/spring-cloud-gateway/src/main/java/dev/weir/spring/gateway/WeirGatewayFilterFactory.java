package dev.weir.spring.gateway;

import dev.weir.library.RulesLimiter;
import dev.weir.library.web.DenialWriter;
import dev.weir.spring.RequestIdentity;
import dev.weir.spring.WebSettings;
import dev.weir.spring.WeirProperties;
import dev.weir.spring.WeirStartupException;
import dev.weir.spring.webflux.WeirWebFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;

/**
 * The filter {@code Weir} of routes: {@code - Weir=RULE} limits the requests of the route by one of
 * the rules. From then on, the rule applies to routes that name it and to no other requests.
 * Thread-safe.
 */
public final class WeirGatewayFilterFactory
    extends AbstractGatewayFilterFactory<WeirGatewayFilterFactory.Config> {
  private final RulesLimiter rules;
  private final WeirProperties properties;
  private final DenialWriter denials;
  private final RequestIdentity identity;
  private final RouteRules named;

  WeirGatewayFilterFactory(
      RulesLimiter rules,
      WeirProperties properties,
      DenialWriter denials,
      RequestIdentity identity,
      RouteRules named) {
    super(Config.class);
    this.rules = rules;
    this.properties = properties;
    this.denials = denials;
    this.identity = identity;
    this.named = named;
  }

  /** The arguments of the filter. Not thread-safe. */
  public static final class Config {
    private @Nullable String rule;

    /** The name of the rule. */
    public @Nullable String getRule() {
      return rule;
    }

    /** Names the rule. */
    public void setRule(String name) {
      this.rule = name;
    }
  }

  @Override
  public String name() {
    return "Weir";
  }

  @Override
  public List<String> shortcutFieldOrder() {
    return List.of("rule");
  }

  @Override
  public GatewayFilter apply(Config config) {
    String rule = config.getRule();
    if (rule == null || rule.isBlank()) {
      throw new WeirStartupException(
          "filter Weir: rule: none (expected: the name of a rule)",
          "Write the filter as - Weir=RULE, with a rule of weir.rules or weir.limits.");
    }
    WeirWebFilter filter =
        WeirWebFilter.builder(only(rule))
            .style(WebSettings.style(properties))
            .denials(denials)
            .identity(identity)
            .build();
    named.add(rule);
    return new RouteFilter(rule, filter);
  }

  private RulesLimiter only(String rule) {
    try {
      return rules.only(rule);
    } catch (IllegalArgumentException e) {
      throw new WeirStartupException(
          "filter Weir=" + rule + ": " + e.getMessage(),
          "Define the rule under weir.limits." + rule + " or in the file of weir.rules.",
          e);
    }
  }
}

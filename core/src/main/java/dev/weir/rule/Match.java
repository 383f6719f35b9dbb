package dev.weir.rule;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the rules make of a request: the claims to take, all or none, and those to count only.
 *
 * <p>Claims stand in the order of the rules; {@link #rules()} has the rule of each.
 */
public final class Match {
  private static final int USUAL = 8;

  private final List<Claim> claims = new ArrayList<>(USUAL);
  private final List<Rule> rules = new ArrayList<>(USUAL);
  private final List<Policy> policies = new ArrayList<>(USUAL);
  private List<Claim> shadows = List.of();
  private List<Rule> shadowRules = List.of();
  private List<Policy> shadowPolicies = List.of();
  private List<Rule> shadowBlocks = List.of();
  private @Nullable Rule blockedBy;

  Match() {}

  /** What must be granted for the request to pass. */
  public List<Claim> claims() {
    return Collections.unmodifiableList(claims);
  }

  /** The rule of each claim. */
  public List<Rule> rules() {
    return Collections.unmodifiableList(rules);
  }

  /**
   * What each claim is called towards clients: its rule, and its window where there are several.
   */
  public List<Policy> policies() {
    return Collections.unmodifiableList(policies);
  }

  /** What is counted, each by itself, and denies nobody. */
  public List<Claim> shadows() {
    return Collections.unmodifiableList(shadows);
  }

  /** The rule of each shadow claim. */
  public List<Rule> shadowRules() {
    return Collections.unmodifiableList(shadowRules);
  }

  /** What each shadow claim is called. */
  public List<Policy> shadowPolicies() {
    return Collections.unmodifiableList(shadowPolicies);
  }

  /** The rule that lets this caller through never, if there is one: nothing need be asked. */
  public Optional<Rule> blockedBy() {
    return Optional.ofNullable(blockedBy);
  }

  /**
   * The rule that decided: the one that blocks the caller, or that of the claim which denied or has
   * the least left. Empty if no rule applied.
   *
   * @param decision what a {@link Limiter} answered to this match
   */
  public Optional<Rule> decisiveRule(Decision decision) {
    if (blockedBy != null) {
      return blockedBy();
    }
    OptionalInt claim = decision.decisive();
    return claim.isEmpty() ? Optional.empty() : Optional.of(rules.get(claim.getAsInt()));
  }

  /** The rules that would let this caller through never, if they were enforced. */
  public List<Rule> shadowBlocks() {
    return Collections.unmodifiableList(shadowBlocks);
  }

  /** The same at another cost, if one is given; a place in flight costs what it costs. */
  public Match costing(OptionalLong cost) {
    if (cost.isEmpty()) {
      return this;
    }
    Match other = new Match();
    other.blockedBy = blockedBy;
    other.shadowBlocks = shadowBlocks;
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = costing(claims.get(i), cost.getAsLong());
      other.add(rules.get(i), policies.get(i), claim, true);
    }
    for (int i = 0; i < shadows.size(); i++) {
      Claim claim = costing(shadows.get(i), cost.getAsLong());
      other.add(shadowRules.get(i), shadowPolicies.get(i), claim, false);
    }
    return other;
  }

  /** One of the claims by itself, as if no other rule applied. */
  public Match only(int claim) {
    Match other = new Match();
    other.add(rules.get(claim), policies.get(claim), claims.get(claim), true);
    return other;
  }

  private static Claim costing(Claim claim, long cost) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY ? claim : claim.costing(cost);
  }

  void block(Rule rule, boolean enforced) {
    if (enforced) {
      blockedBy = blockedBy == null ? rule : blockedBy;
    } else {
      shadowBlocks = shadowBlocks.isEmpty() ? new ArrayList<>(2) : shadowBlocks;
      shadowBlocks.add(rule);
    }
  }

  void add(Rule rule, Policy policy, Claim claim, boolean enforced) {
    if (!enforced) {
      if (shadows.isEmpty()) {
        shadows = new ArrayList<>(4);
        shadowRules = new ArrayList<>(4);
        shadowPolicies = new ArrayList<>(4);
      }
      shadows.add(claim);
      shadowRules.add(rule);
      shadowPolicies.add(policy);
    } else if (claims.size() == Claim.MAX_CLAIMS) {
      // More than a store takes at once: no request may pass a limit because there were too many.
      block(rule, true);
    } else {
      claims.add(claim);
      rules.add(rule);
      policies.add(policy);
    }
  }
}

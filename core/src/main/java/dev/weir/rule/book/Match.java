package dev.weir.rule.book;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The charges that the rules make for one request, in the order of the rules.
 *
 * <p>A match is built by one thread and never changed afterwards.
 */
public final class Match {
  /** No charge at all. */
  public static final Match NONE = new Match(null, null);

  private static final int EXPECTED_CHARGES = 8;

  private final List<Charge> charges = new ArrayList<>(EXPECTED_CHARGES);

  /** The claims of the charges, which go to the store. */
  private final List<Claim> claims = new ArrayList<>(EXPECTED_CHARGES);

  private List<Charge> shadows = List.of();
  private List<Rule> shadowBlocks = List.of();
  private List<Twin> twins = List.of();
  private @Nullable Rule blockedBy;
  private long blockedCaller;

  /** What was matched, by which rules; null if the match was made of others. */
  private final @Nullable RuleBook book;

  private final @Nullable Descriptor request;

  Match(@Nullable RuleBook book, @Nullable Descriptor request) {
    this.book = book;
    this.request = request;
  }

  /** The enforced charges: all of them must be granted for the request to pass. */
  public List<Charge> charges() {
    return Collections.unmodifiableList(charges);
  }

  /** The claims of {@link #charges()}, in the same order. */
  public List<Claim> claims() {
    return Collections.unmodifiableList(claims);
  }

  /** The charges of rules in shadow mode: counted rule by rule, they deny no request. */
  public List<Charge> shadows() {
    return Collections.unmodifiableList(shadows);
  }

  /** What candidates are judged by, at most one for each rule: counted, they deny no request. */
  public List<Twin> twins() {
    return Collections.unmodifiableList(twins);
  }

  /** The rule that blocks this caller, if there is one; then the store is not called. */
  public Optional<Rule> blockedBy() {
    return Optional.ofNullable(blockedBy);
  }

  /** The {@linkplain KeySpace.Owner#hash hash} of the caller that is blocked; 0 if none is. */
  public long blockedCaller() {
    return blockedCaller;
  }

  /**
   * The names and values that identify a caller of a rule, alternating; empty if they are not
   * known.
   *
   * @param caller the hash of its identity
   */
  public List<String> identity(Rule rule, long caller) {
    return book == null || request == null ? List.of() : book.identity(rule, request, caller);
  }

  /**
   * The rule that decided: the one that blocks the caller, or that of the charge which denied or
   * has the least left. Empty if no rule applied.
   *
   * @param decision the decision on this match
   */
  public Optional<Rule> decisiveRule(Decision decision) {
    return blockedBy != null ? blockedBy() : decisiveCharge(decision).map(Charge::rule);
  }

  /** The charge that denied or has the least left; empty if there is none. */
  public Optional<Charge> decisiveCharge(Decision decision) {
    OptionalInt index = decision.decisive();
    return blockedBy != null || index.isEmpty()
        ? Optional.empty()
        : Optional.of(charges.get(index.getAsInt()));
  }

  /** The rules that would block this caller if they were enforced. */
  public List<Rule> shadowBlocks() {
    return Collections.unmodifiableList(shadowBlocks);
  }

  /** This match at another cost, if one is given; concurrency permits keep their cost. */
  public Match withCost(OptionalLong cost) {
    return cost.isEmpty() ? this : withCosts(charge -> cost.getAsLong());
  }

  /** This match with another cost for each charge; concurrency permits keep their cost. */
  public Match withCosts(ToLongFunction<Charge> costs) {
    Match other = new Match(book, request);
    other.blockedBy = blockedBy;
    other.blockedCaller = blockedCaller;
    other.shadowBlocks = shadowBlocks;
    for (Charge charge : charges) {
      other.add(withCost(charge, costs));
    }
    for (Charge charge : shadows) {
      other.add(withCost(charge, costs));
    }
    for (Twin twin : twins) {
      other.add(twin.with(charge -> withCost(charge, costs)));
    }
    return other;
  }

  /** A match with one charge only, as if no other rule applied. */
  public static Match of(Charge charge) {
    Match other = new Match(null, null);
    other.add(charge);
    return other;
  }

  /** A match with these charges only. */
  public static Match of(List<Charge> charges) {
    Match other = new Match(null, null);
    charges.forEach(other::add);
    return other;
  }

  /** What several matches charge, as if it were for one request. */
  public static Match together(List<Match> matches) {
    Match other = new Match(null, null);
    for (Match one : matches) {
      one.charges.forEach(other::add);
      one.shadows.forEach(other::add);
      one.twins.forEach(other::add);
      one.shadowBlocks.forEach(rule -> other.block(rule, 0, false));
      if (one.blockedBy != null) {
        other.block(one.blockedBy, one.blockedCaller, true);
      }
    }
    return other;
  }

  private static Charge withCost(Charge charge, ToLongFunction<Charge> costs) {
    boolean concurrency = charge.claim().limit().algorithm() == Algorithm.CONCURRENCY;
    return concurrency ? charge : charge.withCost(costs.applyAsLong(charge));
  }

  void block(Rule rule, long caller, boolean enforced) {
    if (enforced) {
      blockedCaller = blockedBy == null ? caller : blockedCaller;
      blockedBy = blockedBy == null ? rule : blockedBy;
    } else {
      shadowBlocks = shadowBlocks.isEmpty() ? new ArrayList<>(2) : shadowBlocks;
      shadowBlocks.add(rule);
    }
  }

  void add(Twin twin) {
    twins = twins.isEmpty() ? new ArrayList<>(2) : twins;
    twins.add(twin);
  }

  void add(Charge charge) {
    if (!charge.enforced()) {
      shadows = shadows.isEmpty() ? new ArrayList<>(4) : shadows;
      shadows.add(charge);
    } else if (charges.size() == Claim.MAX_CLAIMS) {
      // A store takes no more at once, and no request may pass because it has too many limits.
      block(charge.rule(), charge.claim().key().high(), true);
    } else {
      charges.add(charge);
      claims.add(charge.claim());
    }
  }
}

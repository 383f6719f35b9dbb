package dev.weir.rule;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.internal.Rejections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Limits that may become those of a rule. Both judge each request, on counters of their own; one of
 * them is in force, and the other is counted as if it were. Immutable and thread-safe.
 *
 * <p>A candidate blocks nobody and holds no concurrency permits: permits that are held cannot be
 * judged beside those in force without holding them twice.
 *
 * @param allowance of all callers, for a rule without tiers; null for one with tiers
 * @param tiers the allowances by tier, for a rule with tiers; callers of other tiers are not judged
 * @param rollout for how many callers in {@link Rule#WHOLE} the candidate is in force
 */
public record Candidate(@Nullable Allowance allowance, Map<String, Allowance> tiers, int rollout) {

  /**
   * Copies the tiers.
   *
   * @throws IllegalArgumentException if there is neither an allowance nor a tier, or both; if one
   *     of them blocks or holds permits; or if the rollout is out of range
   */
  public Candidate {
    tiers = Map.copyOf(tiers);
    rollout = (int) Rejections.between("rollout", rollout, 0, Rule.WHOLE);
    if ((allowance == null) == tiers.isEmpty()) {
      throw Rejections.of("candidate", "no limit, or two kinds", "either a limit or tiers");
    }
    if (allowance != null) {
      checkGrant(allowance);
    }
    tiers.values().forEach(Candidate::checkGrant);
  }

  /** A candidate that is in force for nobody yet, for a rule without tiers. */
  public static Candidate of(Limit... limits) {
    return of(Allowance.of(limits));
  }

  /** A candidate that is in force for nobody yet, for a rule without tiers. */
  public static Candidate of(Allowance allowance) {
    return new Candidate(allowance, Map.of(), 0);
  }

  /** A candidate that is in force for nobody yet, for some tiers of a rule. */
  public static Candidate of(Map<String, Allowance> tiers) {
    return new Candidate(null, tiers, 0);
  }

  /** This candidate in force for so many callers in {@link Rule#WHOLE}. */
  public Candidate withRollout(int callers) {
    return new Candidate(allowance, tiers, callers);
  }

  /** A multiple of every limit. */
  public Candidate times(Multiple factor) {
    Map<String, Allowance> scaled = new HashMap<>(tiers);
    scaled.replaceAll((name, tier) -> factor.of(tier));
    return new Candidate(allowance == null ? null : factor.of(allowance), scaled, rollout);
  }

  /** Every allowance, without multiples by overrides. */
  public List<Allowance> allowances() {
    return allowance == null ? List.copyOf(tiers.values()) : List.of(allowance);
  }

  private static void checkGrant(Allowance grant) {
    if (grant.blocked()) {
      throw Rejections.of("candidate", "blocked", "limits; a candidate blocks nobody");
    }
    if (holds(grant)) {
      throw Rejections.of("candidate", grant, "no concurrent, which a rule in shadow tries out");
    }
  }

  private static boolean holds(Allowance grant) {
    return grant.limits().stream().anyMatch(one -> one.algorithm() == Algorithm.CONCURRENCY);
  }

  /** Rejects a rule beside whose limits this candidate cannot be judged. */
  void check(Allowance usual, Optional<Tiers> ofRule, Cost cost) {
    List<Allowance> all = ofRule.map(Tiers::allowances).orElse(List.of(usual));
    if (all.stream().anyMatch(Candidate::holds)) {
      throw Rejections.of("candidate", "beside concurrent", "concurrent in a rule of its own");
    }
    if (cost.response() != null) {
      String expected = "a rule whose cost is known before the response";
      throw Rejections.of("candidate", "beside a cost that responses state", expected);
    }
    if (ofRule.isPresent() == tiers.isEmpty()) {
      String expected = ofRule.isPresent() ? "tiers, as the rule has them" : "a rule with tiers";
      throw Rejections.of("candidate", ofRule.isPresent() ? "a limit" : "tiers", expected);
    }
    ofRule.ifPresent(this::checkNames);
  }

  private void checkNames(Tiers ofRule) {
    tiers.forEach(
        (name, grant) -> {
          Allowance usual = ofRule.tiers().get(name);
          if (usual == null) {
            String expected = "one of " + String.join(", ", new TreeSet<>(ofRule.tiers().keySet()));
            throw Rejections.of("tier", name, expected);
          }
          ofRule.tiers().forEach((other, same) -> checkDistinct(name, usual, other, same));
        });
  }

  /** The allowance of a caller tells the tier, and so the candidate's allowance. */
  @SuppressWarnings("ReferenceEquality")
  private static void checkDistinct(String name, Allowance usual, String other, Allowance same) {
    if (usual == same && !name.equals(other)) {
      throw Rejections.of("tier", name, "an allowance object of its own, not that of " + other);
    }
  }
}

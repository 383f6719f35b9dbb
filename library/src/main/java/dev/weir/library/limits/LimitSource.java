package dev.weir.library.limits;

import dev.weir.rule.Allowance;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Knows limits of single callers that the rules do not list, such as those of tenants in a
 * database.
 *
 * <pre>{@code
 * class TenantLimits implements LimitSource {
 *   public Set<String> rules() {
 *     return Set.of("each-tenant");
 *   }
 *
 *   public Optional<Allowance> limits(String rule, Map<String, String> caller) {
 *     return tenants.find(caller.get("tenant"))
 *         .map(tenant -> Allowance.of(Limit.fixedWindow(tenant.perDay(), Duration.ofDays(1))));
 *   }
 * }
 * }</pre>
 *
 * <p>What it answers is kept, for {@link #MAX_CALLERS} callers at most, so it is asked about a
 * caller once in {@link #refreshAfter()} and not for each request. Callers that a rules file lists
 * in {@code block}, {@code allow} or {@code overrides} are not asked about. Implementations are
 * thread-safe, and may block.
 */
public interface LimitSource {
  /** How many callers are kept; those that have not been seen for longest make room. */
  int MAX_CALLERS = 100_000;

  /** The names of the rules and calls in which callers may have limits of their own. */
  Set<String> rules();

  /**
   * The limits of a caller, all of which apply; empty if those of the rule apply.
   *
   * @param rule one of {@link #rules()}
   * @param caller the values that identify the caller, by the names that the rule has under {@code
   *     per}, and by what they are read from, such as {@code header x-tenant} or {@code jwt sub}:
   *     an identity with alternatives may be a name that anybody can send. {@code key} for calls.
   * @throws RuntimeException if they cannot be found out; then the last known limits stay in use,
   *     or those of the rule, and it is asked again after a few seconds
   */
  Optional<Allowance> limits(String rule, Map<String, String> caller);

  /** For how long limits are used before they are asked for again; a minute by default. */
  default Duration refreshAfter() {
    return Duration.ofMinutes(1);
  }

  /**
   * How long the first requests of a caller wait to know the limits, before they are counted by
   * those of the rule; 100 ms by default. Once one has waited for so long, others do not wait.
   */
  default Duration maxWait() {
    return Duration.ofMillis(100);
  }
}

package dev.weir.limiter;

import dev.weir.Claim;
import dev.weir.key.KeySpace;
import java.util.List;

/**
 * Whom the outcome of a request is about, for one rule. Valid only while a {@link Limiter.Listener}
 * is called, on its thread.
 */
public interface Subject {
  /**
   * The caller as the rule counts it: the {@linkplain KeySpace.Owner#hash hash} of its identity. 0
   * if the rule counts all callers together, or the caller is not known.
   */
  long caller();

  /** How much of a limit is used now, in percent; that of the limit with the least left. */
  int usedPercent();

  /** What the rule claims for the request. */
  List<Claim> claims();

  /** The names and values that identify the caller, alternating; empty if they are not known. */
  List<String> identity();
}

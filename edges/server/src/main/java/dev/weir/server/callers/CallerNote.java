package dev.weir.server.callers;

import dev.weir.Claim;
import java.util.List;

/**
 * What is remembered of a caller beside the hash of its identity.
 *
 * @param claims on its counters of the rule, so that they can be reset; may be empty
 * @param identity the names and values that identify it, alternating; empty unless the operator
 *     wants callers to be revealed
 */
public record CallerNote(List<Claim> claims, List<String> identity) {
  /** Copies the lists. */
  public CallerNote {
    claims = List.copyOf(claims);
    identity = List.copyOf(identity);
  }
}

package dev.weir.simulation.exchange;

import dev.weir.Claim;
import dev.weir.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a server to its store. It is sent at once and only once, or not at all. */
public final class StoreCall {
  /** The result of a call, as far as the server knows. */
  public enum Result {
    GRANTED,
    /** The store denied the call or did not execute it. */
    NOT_APPLIED,
    UNKNOWN
  }

  /** The operation of the call. */
  public final Operation operation;

  private final List<Claim> claims;

  /** The message that was sent for the call, if any. */
  public @Nullable StoreMessage message;

  /** A call for which nothing was sent so far. */
  public StoreCall(Operation operation, List<Claim> claims) {
    this.operation = operation;
    this.claims = List.copyOf(claims);
  }

  /**
   * Takes the message as sent for this call; returns whether it matches the call and is the first.
   */
  public boolean accepts(StoreMessage sent) {
    boolean first = message == null;
    message = sent;
    return first
        && sent.operation == operation
        && sent.claims.size() <= claims.size()
        && sent.claims.stream().allMatch(this::covers);
  }

  private boolean covers(Claim sent) {
    return claims.stream()
        .anyMatch(claim -> claim.key().equals(sent.key()) && sent.cost() <= claim.cost());
  }
}

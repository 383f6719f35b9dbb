package dev.weir.simulation.exchange;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request message to the store, identified by a number that the network assigns. */
public final class StoreMessage {
  /** Why the message is sent. */
  public enum Purpose {
    /** Takes permits for a client that waits for the answer. */
    TAKE,
    /** Takes permits for a lease. */
    REFILL,
    /** Returns unused permits of a lease. */
    RETURN,
    /** Refunds permits of a client. */
    REFUND,
    /** Charges what the server granted without the store. */
    CHARGE,
    /** Changes no audited counter: a peek or a health probe. */
    PROBE
  }

  /** The number of the message; later messages have larger numbers. */
  public final long number;

  /** The server that sent the message. */
  public final AuditedServer server;

  /** The operation that the store applies. */
  public final Operation operation;

  /** Why the message is sent. */
  public final Purpose purpose;

  /** The claims of the operation. */
  public final List<Claim> claims;

  /** When the message was sent. */
  public final long sentNanos;

  /** When the store applied it, by the clock of the store; set together with the decision. */
  public long appliedMicros;

  /** The decision of the store; null until it has applied the message. */
  public @Nullable Decision decision;

  /** The client request, if a client waits for the answer. */
  public @Nullable ClientRequest request;

  /** Whether the server has given up waiting for the answer, which may still come. */
  public boolean abandoned;

  /** Whether the store has lost the effect of the message since. */
  public boolean lost;

  /** A message that the store has not applied yet. */
  public StoreMessage(
      long number,
      AuditedServer server,
      Operation operation,
      Purpose purpose,
      List<Claim> claims,
      long sentNanos) {
    this.number = number;
    this.server = server;
    this.operation = operation;
    this.purpose = purpose;
    this.claims = List.copyOf(claims);
    this.sentNanos = sentNanos;
  }

  /** Whether it changed a counter. */
  public boolean changedCounter() {
    return purpose != Purpose.PROBE && decision != null && decision.allowed();
  }

  @Override
  public String toString() {
    return "#" + number + " " + purpose;
  }
}

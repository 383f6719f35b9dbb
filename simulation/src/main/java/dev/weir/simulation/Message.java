package dev.weir.simulation;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.operation.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A question on its way to the store, known by a number that the network gives it. */
final class Message {
  /** Why it is asked. */
  enum Purpose {
    /** A client waits for the answer. */
    QUESTION,
    /** More permits for a lease. */
    REFILL,
    /** Permits of a lease that nobody wanted. */
    RETURN,
    /** A client gives back. */
    REFUND,
    /** What was granted without the store. */
    CHARGE,
    /** Nothing is changed. */
    LOOK
  }

  final long number;
  final Node node;
  final Operation operation;
  final Purpose purpose;
  final List<Claim> claims;
  final long sentNanos;

  /** Set when it was done: when by the clock of the store, and with what answer. */
  long micros;

  @Nullable Decision decision;

  /** On whose behalf, if a client waits for the answer. */
  @Nullable Request request;

  /** Whether the server has given up waiting for the answer, which may still come. */
  boolean givenUp;

  /** Whether the store has since lost its memory of it. */
  boolean forgotten;

  Message(
      long number,
      Node node,
      Operation operation,
      Purpose purpose,
      List<Claim> claims,
      long sentNanos) {
    this.number = number;
    this.node = node;
    this.operation = operation;
    this.purpose = purpose;
    this.claims = List.copyOf(claims);
    this.sentNanos = sentNanos;
  }

  /** Whether it changed a counter. */
  boolean changed() {
    return purpose != Purpose.LOOK && decision != null && decision.allowed();
  }

  @Override
  public String toString() {
    return "#" + number + " " + purpose;
  }
}

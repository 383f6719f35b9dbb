package dev.weir.simulation;

import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.rule.Match;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request of a client, from when it comes to when it is decided. */
final class Request {
  final long number;
  final Group group;
  final Node node;
  final Match match;
  final long askedNanos;
  private final long pausedNanos;

  /** How often the store was asked because of it. */
  int questions;

  /** What had been counted when the store decided about it, or about the one remembered. */
  long spendsThen;

  /** What the store granted it, whether or not that was heard. */
  final Set<LimitKey> granted = new HashSet<>();

  /** How long the store said to wait, in microseconds, for each counter that denied. */
  final Map<LimitKey, Long> waits = new HashMap<>();

  /** Why the store did not answer, if it did not. */
  @Nullable StoreFailure failure;

  /** Whether the store has to answer, or its answer is awaited no more. */
  boolean asksStore;

  @Nullable Decision decision;
  boolean ended;

  Request(long number, Group group, Node node, Match match, long askedNanos) {
    this.number = number;
    this.group = group;
    this.node = node;
    this.match = match;
    this.askedNanos = askedNanos;
    this.pausedNanos = node.pause.nanos();
  }

  /** How long it has taken by now, but for the time in which its server was paused. */
  long tookNanos(long nanos) {
    return nanos - askedNanos - (node.pause.nanos() - pausedNanos);
  }

  boolean allowed() {
    return decision != null && decision.allowed();
  }
}

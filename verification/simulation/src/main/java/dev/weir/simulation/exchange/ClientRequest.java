package dev.weir.simulation.exchange;

import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.rule.book.Match;
import dev.weir.simulation.plan.ClientGroup;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client's request, from its arrival to its decision. */
public final class ClientRequest {
  /** The number of the request, also used as the holder of its concurrency permits. */
  public final long number;

  /** The group of the client. */
  public final ClientGroup group;

  /** The server that got the request. */
  public final AuditedServer server;

  /** The rules that match the request, with their claims. */
  public final Match match;

  /** When the request arrived at the server. */
  public final long startNanos;

  private final long pausedBeforeNanos;

  /** How often the server called the store for it. */
  public int storeCalls;

  /** The charge count of the account when the store made this decision, or the cached one. */
  public long chargeCountThen;

  /** The counters that the store granted, whether or not the answer arrived. */
  public final Set<LimitKey> storeGrants = new HashSet<>();

  /** The wait that the store stated, in microseconds, for each counter that denied. */
  public final Map<LimitKey, Long> storeWaits = new HashMap<>();

  /** Why the store did not answer; null if it did. */
  public @Nullable StoreFailure failure;

  /** Whether the request depended on an answer of the store, arrived or not. */
  public boolean callsStore;

  /** The decision; null until there is one, and if the request failed. */
  public @Nullable Decision decision;

  /** A request that has just arrived. */
  public ClientRequest(
      long number, ClientGroup group, AuditedServer server, Match match, long startNanos) {
    this.number = number;
    this.group = group;
    this.server = server;
    this.match = match;
    this.startNanos = startNanos;
    this.pausedBeforeNanos = server.pausedNanos();
  }

  /** How long the request has taken, without the time in which its server was paused. */
  public long elapsedNanos(long nanos) {
    return nanos - startNanos - (server.pausedNanos() - pausedBeforeNanos);
  }

  /** Whether the request was allowed. */
  public boolean allowed() {
    return decision != null && decision.allowed();
  }
}

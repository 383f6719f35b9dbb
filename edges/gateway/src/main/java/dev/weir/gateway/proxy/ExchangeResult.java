package dev.weir.gateway.proxy;

import dev.weir.gateway.adaptive.ConcurrencyGate.Outcome;

/** How an exchange ended. */
public enum ExchangeResult {
  /** The upstream's response was sent completely. */
  COMPLETE(Outcome.SERVED),
  /** The client left before that. */
  CLIENT_GONE(Outcome.IGNORED),
  /** The client sent its body too slowly. */
  SLOW_CLIENT(Outcome.IGNORED),
  /** No server of the upstream could be reached. */
  UNREACHABLE(Outcome.DROPPED),
  /** All connections to the upstream are in use, and enough requests wait for one. */
  UPSTREAM_BUSY(Outcome.DROPPED),
  /** The upstream did not answer in time. */
  TIMED_OUT(Outcome.DROPPED),
  /** The upstream's connection failed, or it sent something that is not HTTP. */
  FAILED(Outcome.DROPPED),
  /** As {@link #FAILED} or {@link #TIMED_OUT}, but after a part of the response was sent. */
  CUT_OFF(Outcome.DROPPED);

  private final Outcome forGate;

  ExchangeResult(Outcome forGate) {
    this.forGate = forGate;
  }

  /** What the gate of the upstream learns from it. */
  public Outcome forGate() {
    return forGate;
  }
}

package dev.weir.gateway.proxy;

import dev.weir.gateway.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/** Knows what an exchange waits for, and since when. Confined to one event loop. */
final class ExchangeClock {
  private final long maxResponseNanos;
  private final long maxIdleNanos;
  private long waitingSinceNanos;
  private long activeNanos;
  private long answeredNanos;
  private boolean sending;
  private boolean answered;

  ExchangeClock(Upstream upstream) {
    this.maxResponseNanos = upstream.responseNanos();
    this.maxIdleNanos = upstream.idleNanos();
  }

  /** The time, by which all others are compared. */
  static long nowNanos() {
    return System.nanoTime();
  }

  /** A connection to a server is asked for. */
  void onConnect(long nowNanos) {
    waitingSinceNanos = nowNanos;
    activeNanos = nowNanos;
    sending = false;
  }

  /** The connection is there; returns how long it took. */
  long onConnected(long nowNanos) {
    long took = nowNanos - waitingSinceNanos;
    onConnect(nowNanos);
    return took;
  }

  /** The body of the request is on its way. */
  void onSending() {
    sending = true;
  }

  /** All of the request was sent. */
  void onSent() {
    sending = false;
    waitingSinceNanos = nowNanos();
  }

  /** Bytes passed in either direction. */
  void onBytes() {
    activeNanos = nowNanos();
  }

  /** The headers of the response are there. */
  void onAnswer(long nowNanos) {
    answered = true;
    answeredNanos = nowNanos;
    activeNanos = nowNanos;
  }

  /** Whether the body of a request that is not answered is on its way. */
  boolean isSending() {
    return sending && !answered;
  }

  /** How the exchange ends by its time limits; null if it goes on. */
  @Nullable ExchangeResult expired(long nowNanos) {
    if (nowNanos - activeNanos > maxIdleNanos) {
      return answered ? ExchangeResult.CUT_OFF : ExchangeResult.TIMED_OUT;
    }
    boolean late = !answered && !sending && nowNanos - waitingSinceNanos > maxResponseNanos;
    return late ? ExchangeResult.TIMED_OUT : null;
  }

  /** The time until the response began, since another time; until now if it has not. */
  long responseNanos(long sinceNanos) {
    return (answered ? answeredNanos : nowNanos()) - sinceNanos;
  }
}

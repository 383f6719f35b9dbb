package dev.weir.benchmarks.redis;

import dev.weir.key.KeySpace;
import java.time.Duration;

/**
 * A limiter that shares its counters through Redis; many threads ask it, and each waits for its
 * answer.
 *
 * <p>All enforce the same limit, so high that nobody is denied: a granted decision is the dearer
 * one, since it writes. All have a connection of their own, set up as their makers do by default.
 */
interface Contestant extends AutoCloseable {
  /** Callers are numbered from 0; each has a counter. */
  int CALLERS = 10_000;

  int PERMITS = 1_000_000;
  Duration WINDOW = Duration.ofSeconds(1);

  /** How much longer than needed counters are kept. */
  Duration KEPT = Duration.ofSeconds(1);

  /** The same in all processes, which share the counters. */
  KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  /** Takes a permit from a caller's counter, and tells whether there was one. */
  boolean allow(int caller);

  @Override
  void close();
}

package dev.weir.benchmarks.redis;

import dev.weir.key.KeySpace;
import java.time.Duration;

/**
 * A limiter that shares its counters through Redis. Many threads call it, and each waits for its
 * answer, so implementations are thread-safe.
 *
 * <p>All enforce the same limit, so high that no request is denied: a granted decision is the more
 * expensive one, because it writes. Each has its own connection with its default settings.
 */
interface Contestant extends AutoCloseable {
  /** The number of callers, numbered from 0; each has a counter. */
  int CALLERS = 10_000;

  int PERMITS = 1_000_000;
  Duration WINDOW = Duration.ofSeconds(1);

  /** How much longer than necessary counters are kept. */
  Duration EXTRA_TTL = Duration.ofSeconds(1);

  /** The same in all processes, which share the counters. */
  KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  /** Takes a permit from a caller's counter; returns whether there was one. */
  boolean allow(int caller);

  @Override
  void close();
}

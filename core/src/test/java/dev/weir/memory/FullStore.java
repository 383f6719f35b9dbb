package dev.weir.memory;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A small store on a manual clock, and floods of keys that fill it. */
final class FullStore {
  static final long SECOND = 1_000_000;
  static final int ROOM = 20_000;

  /** A limit that several rules share, so that only the rules distinguish them. */
  static final Limit DAILY = Limit.fixedWindow(5, Duration.ofDays(1));

  static final Limit FLOODED = DAILY.ofRule("search");
  static final Limit OTHER = DAILY.ofRule("login");
  static final Limit THIRD = Limit.tokenBucket(5, Duration.ofDays(1)).ofRule("signup");

  final AtomicLong clock = new AtomicLong(1_700_000_000 * SECOND);
  final MemoryStore store = new MemoryStore(ROOM, clock::get);

  static LimitKey key(Limit limit, int i) {
    return new LimitKey(limit.group(), i);
  }

  Decision take(Limit limit, int i) {
    return store.take(limit, key(limit, i));
  }

  /** Takes once from each of more keys than there is room for. */
  void flood(Limit limit) {
    for (int i = 0; i < ROOM + ROOM / 10; i++) {
      take(limit, i);
    }
  }

  /** How many of the callers, each taking once, get their own counter. */
  int newcomers(Limit limit, int callers) {
    int passed = 0;
    for (int i = 0; i < callers; i++) {
      passed += take(limit, i).remaining() == limit.permits() - 1 ? 1 : 0;
    }
    return passed;
  }
}

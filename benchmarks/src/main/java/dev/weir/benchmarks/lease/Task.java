package dev.weir.benchmarks.lease;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.util.List;

/**
 * What one process is asked to do, as a line of text.
 *
 * @param caller whose permits are wanted
 * @param permits per second, and at once
 * @param threads that ask one after the other, each as fast as it is answered
 */
record Task(Way way, int caller, long permits, int threads, long millis) {
  /** The same in all processes, which share the counters. */
  private static final KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  static Task parse(String line) {
    String[] words = line.split(" ", -1);
    return new Task(
        Way.valueOf(words[0]),
        Integer.parseInt(words[1]),
        Long.parseLong(words[2]),
        Integer.parseInt(words[3]),
        Long.parseLong(words[4]));
  }

  String line() {
    return way + " " + caller + " " + permits + " " + threads + " " + millis;
  }

  /** What each request claims. */
  List<Claim> claims() {
    Limit limit = Limit.tokenBucket(permits, Duration.ofSeconds(1));
    LimitKey key = KEYS.key(way.name(), Integer.toString(caller));
    return List.of(new Claim(limit, key, 1, 0, way.mode()));
  }
}

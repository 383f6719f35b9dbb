package dev.weir.benchmarks.lease;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What one process is asked to do, as a line of text.
 *
 * @param permits per second, and at once; each number has a counter of its own
 * @param threads that ask one after the other
 * @param perSecond how often all of them ask; 0 for as fast as they are answered
 */
record Task(Way way, long permits, int threads, long millis, long perSecond) {
  /** The same in all processes, which share the counters. */
  private static final KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  static Task parse(String line) {
    String[] words = line.split(" ", -1);
    return new Task(
        Way.valueOf(words[0]),
        Long.parseLong(words[1]),
        Integer.parseInt(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }

  String line() {
    return way + " " + permits + " " + threads + " " + millis + " " + perSecond;
  }

  /** What a rule makes of each request. */
  Match match() {
    Rule rule =
        Rule.named(way + "-" + permits)
            .limit(Limit.tokenBucket(permits, Duration.ofSeconds(1)))
            .mode(way.mode())
            .whenStoreFails(way.whenStoreFails)
            .build();
    return RuleBook.of(List.of(rule), KEYS).match(Descriptor.of(Map.of()));
  }
}

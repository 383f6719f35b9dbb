package dev.weir.benchmarks.lease;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The task of one process, as a line of text.
 *
 * @param permits the permits per second and the burst; each number has a counter of its own
 * @param threads the threads, each with one request at a time
 * @param perSecond the requests per second of all threads; 0 for as many as are answered
 */
record Task(Variant variant, long permits, int threads, long millis, long perSecond) {
  /** The same in all processes, which share the counters. */
  private static final KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  static Task parse(String line) {
    String[] words = line.split(" ", -1);
    return new Task(
        Variant.valueOf(words[0]),
        Long.parseLong(words[1]),
        Integer.parseInt(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }

  String line() {
    return variant + " " + permits + " " + threads + " " + millis + " " + perSecond;
  }

  /** The match of each request with the only rule. */
  Match match() {
    Rule rule =
        Rule.named(variant + "-" + permits)
            .limit(Limit.tokenBucket(permits, Duration.ofSeconds(1)))
            .mode(variant.mode())
            .failureMode(variant.whenStoreFails)
            .build();
    return RuleBook.of(List.of(rule), KEYS).match(Descriptor.of(Map.of()));
  }
}

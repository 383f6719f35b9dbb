package dev.weir.cli.size;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.cli.command.Flag;
import dev.weir.cli.size.model.SizedLimit;
import dev.weir.rules.syntax.LimitSyntax;
import dev.weir.rules.syntax.LimitSyntax.LimitOptions;
import dev.weir.rules.yaml.Spelling;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads limits in the notation of rules files from flags. */
final class LimitFlags {
  /** As in rules files. */
  private static final Duration EXPIRY = Duration.ofMinutes(1);

  private LimitFlags() {}

  /** A limit of each of some users: {@code 100/minute}. */
  static SizedLimit rate(String text, @Nullable String algorithm, long users) {
    LimitOptions options =
        new LimitOptions(algorithm == null ? null : algorithm(algorithm), null, null);
    Limit limit;
    try {
      limit = LimitSyntax.parse(text, options);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage()).replace("; or unlimited, or blocked", "");
      throw new IllegalArgumentException(
          message.startsWith("limit: ")
              ? message.replaceFirst("limit: ", "--limit: ")
              : "--limit: " + text + ": " + message,
          e);
    }
    return new SizedLimit(text.strip(), limit, Mode.STRICT, users);
  }

  /** Requests of each of some users at the same time. */
  static SizedLimit concurrent(String text, long users) {
    long permits = Flag.integer("--concurrent", text, 1, Limit.MAX_CONCURRENT);
    String name = permits + " at a time";
    return new SizedLimit(name, Limit.concurrent(permits, EXPIRY), Mode.STRICT, users);
  }

  private static Algorithm algorithm(String word) {
    Map<String, Algorithm> known = LimitSyntax.ALGORITHMS;
    Algorithm algorithm = known.get(word);
    if (algorithm == null) {
      throw Flag.invalid("--algorithm", word, Spelling.expected(word, known.keySet()));
    }
    return algorithm;
  }
}

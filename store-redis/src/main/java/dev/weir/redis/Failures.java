package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What an error of Redis or of the way to it means. */
final class Failures {
  private static final String CALENDAR = "STALE ";

  /** Errors by which Redis says that it has done nothing. */
  private static final List<String> REFUSALS =
      List.of(
          "NOSCRIPT",
          "MOVED",
          "ASK",
          "TRYAGAIN",
          "CLUSTERDOWN",
          "CROSSSLOT",
          "READONLY",
          "MASTERDOWN",
          "NOREPLICAS",
          "LOADING",
          "BUSY",
          "OOM",
          "MISCONF",
          "NOAUTH",
          "WRONGPASS",
          "NOPERM",
          "STALE");

  private Failures() {}

  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** The word that an error of Redis begins with, or null if Redis did not answer at all. */
  static @Nullable String word(Throwable failure) {
    if (!(failure instanceof RedisCommandExecutionException) || failure.getMessage() == null) {
      return null;
    }
    // Redis 6 says of an error within a script where it was: "ERR Error running script (...): ...".
    for (String word : REFUSALS) {
      if (failure.getMessage().startsWith(word)
          || failure.getMessage().contains("-" + word + " ")) {
        return word;
      }
    }
    String message = failure.getMessage();
    int space = message.indexOf(' ');
    return space < 0 ? message : message.substring(0, space);
  }

  /** The time that Redis told because no calendar window was near it, or -1. */
  static long staleMicros(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return message.startsWith(CALENDAR)
        ? Long.parseLong(message.substring(CALENDAR.length()).trim())
        : -1;
  }

  static StoreFailure of(Throwable failure) {
    if (failure instanceof StoreFailure known) {
      return known;
    }
    String word = word(failure);
    if (word != null) {
      // A script writes only at its end, so one that was stopped by an error has written nothing,
      // unless it was the writing that failed.
      Effect effect = REFUSALS.contains(word) ? Effect.NONE : Effect.UNKNOWN;
      return new StoreFailure(effect, "Redis refused: " + failure.getMessage(), failure);
    }
    if (failure instanceof RedisConnectionException) {
      return new StoreFailure(Effect.NONE, "not connected to Redis", failure);
    }
    if (failure instanceof RedisException
        && String.valueOf(failure.getMessage()).contains("Currently not connected")) {
      return new StoreFailure(Effect.NONE, "not connected to Redis", failure);
    }
    return new StoreFailure(Effect.UNKNOWN, "the connection to Redis was lost", failure);
  }
}

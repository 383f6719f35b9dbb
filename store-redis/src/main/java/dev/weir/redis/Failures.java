package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionException;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an error of Redis or of the way to it means. */
final class Failures {
  private static final String CALENDAR = "STALE ";
  private static final String NOT_CONNECTED = "not connected to Redis";

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

  /** The word that an error of Redis begins with, or null if Redis did not answer at all. */
  static @Nullable String word(Throwable failure) {
    String said = said(failure);
    if (said == null) {
      return null;
    }
    int space = said.indexOf(' ');
    return space < 0 ? said : said.substring(0, space);
  }

  /** What Redis said, if it did, beginning with the word that tells what it is about. */
  private static @Nullable String said(Throwable failure) {
    if (!(failure instanceof RedisCommandExecutionException) || failure.getMessage() == null) {
      return null;
    }
    String message = failure.getMessage();
    // Redis 6 says first where in a script it was: "ERR Error running script (...): ... -OOM ...".
    for (String word : REFUSALS) {
      int inside = message.indexOf("-" + word + " ");
      if (inside >= 0 && message.startsWith("ERR ")) {
        return message.substring(inside + 1);
      }
    }
    return message;
  }

  /** The time that Redis told because no calendar window was near it, or -1. */
  static long staleMicros(Throwable failure) {
    String message = String.valueOf(said(failure));
    return message.startsWith(CALENDAR)
        ? Long.parseLong(message.substring(CALENDAR.length()).trim())
        : -1;
  }

  /** The same, with why there is no connection if there is none and it is known. */
  static StoreFailure of(Throwable failure, Supplier<@Nullable String> whyNotConnected) {
    StoreFailure plain = of(failure);
    String why =
        NOT_CONNECTED.equals(plain.getMessage()) && plain.place().isEmpty()
            ? whyNotConnected.get()
            : null;
    return why == null
        ? plain
        : new StoreFailure(plain.effect(), NOT_CONNECTED + ": " + why, plain.getCause());
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
      return new StoreFailure(effect, "Redis refused: " + said(failure), failure);
    }
    if (failure instanceof RedisConnectionException) {
      String why = failure.getCause() == null ? "" : ": " + Connector.reason(failure);
      return new StoreFailure(Effect.NONE, NOT_CONNECTED + why, failure);
    }
    if (failure instanceof PartitionException) {
      return new StoreFailure(Effect.NONE, "no server is known for the slot", failure);
    }
    if (failure instanceof RedisException
        && String.valueOf(failure.getMessage()).contains("Currently not connected")) {
      return new StoreFailure(Effect.NONE, NOT_CONNECTED, failure);
    }
    if (failure instanceof RedisException || failure instanceof IOException) {
      return new StoreFailure(Effect.UNKNOWN, "the connection to Redis was lost", failure);
    }
    return new StoreFailure(Effect.UNKNOWN, "cannot ask Redis: " + failure, failure);
  }
}

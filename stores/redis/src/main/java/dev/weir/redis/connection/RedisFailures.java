package dev.weir.redis.connection;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionException;
import io.lettuce.core.protocol.RedisProtocolException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Translates errors of Redis and of its driver into {@link StoreFailure}. */
public final class RedisFailures {
  private static final String STALE_CALENDAR = "STALE ";
  private static final String NOT_CONNECTED = "not connected to Redis";

  /** Error codes that mean that Redis has done nothing. */
  private static final List<String> NO_EFFECT_CODES =
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

  /** Error codes of a Redis that is configured well but cannot work at the moment. */
  private static final List<String> NOT_READY_CODES =
      List.of(
          "LOADING",
          "BUSY",
          "CLUSTERDOWN",
          "MASTERDOWN",
          "TRYAGAIN",
          "NOREPLICAS",
          "OOM",
          "MISCONF");

  private static final String TOO_MANY_CLIENTS = "ERR max number of clients";
  private static final String UNKNOWN_MASTER = "Cannot provide redisAddress using sentinel";

  private RedisFailures() {}

  /**
   * Whether a failure may pass by itself: nothing answers, or Redis answers that it is not ready. A
   * password, a permission, a certificate or the name of a master does not become right by waiting.
   */
  static boolean isTemporary(@Nullable Throwable failure) {
    if (failure == null) {
      return true;
    }
    String message = String.valueOf(failure.getMessage());
    String code = errorCode(failure);
    if (code != null) {
      return NOT_READY_CODES.contains(code) || message.startsWith(TOO_MANY_CLIENTS);
    }
    // A proxy with TLS whose Redis is down closes the connection: that passes.
    boolean tls = failure instanceof SSLException && !message.startsWith("Connection closed");
    if (tls
        || failure instanceof GeneralSecurityException
        || failure instanceof RedisProtocolException
        || message.startsWith(UNKNOWN_MASTER)) {
      return false;
    }
    // A client of a cluster adds the failures of all nodes that it tried.
    return Arrays.stream(failure.getSuppressed()).allMatch(RedisFailures::isTemporary)
        && isTemporary(failure.getCause());
  }

  /** The first word of an error reply; null if the failure is not an error reply. */
  public static @Nullable String errorCode(Throwable failure) {
    String reply = errorReply(failure);
    if (reply == null) {
      return null;
    }
    int space = reply.indexOf(' ');
    return space < 0 ? reply : reply.substring(0, space);
  }

  /** The error reply, beginning with its code; null if the failure is not an error reply. */
  private static @Nullable String errorReply(Throwable failure) {
    if (!(failure instanceof RedisCommandExecutionException) || failure.getMessage() == null) {
      return null;
    }
    String message = failure.getMessage();
    // Redis 6 begins with the position in the script: "ERR Error running script (...): … -OOM …".
    for (String code : NO_EFFECT_CODES) {
      int inside = message.indexOf("-" + code + " ");
      if (inside >= 0 && message.startsWith("ERR ")) {
        return message.substring(inside + 1);
      }
    }
    return message;
  }

  /** The time of Redis in a STALE error, which no calendar window that was sent covers; or -1. */
  public static long staleMicros(Throwable failure) {
    String message = String.valueOf(errorReply(failure));
    return message.startsWith(STALE_CALENDAR)
        ? Long.parseLong(message.substring(STALE_CALENDAR.length()).trim())
        : -1;
  }

  /**
   * The store failure for an error.
   *
   * @param connectFailure supplies the reason why there is no connection, or null; called only
   *     where the error does not give one
   */
  public static StoreFailure of(Throwable failure, Supplier<@Nullable String> connectFailure) {
    StoreFailure plain = of(failure);
    String reason =
        NOT_CONNECTED.equals(plain.getMessage()) && plain.shard().isEmpty()
            ? connectFailure.get()
            : null;
    return reason == null
        ? plain
        : new StoreFailure(plain.effect(), NOT_CONNECTED + ": " + reason, plain.getCause());
  }

  /** The store failure for an error; its effect is NONE only where that is certain. */
  public static StoreFailure of(Throwable failure) {
    if (failure instanceof StoreFailure known) {
      return known;
    }
    String code = errorCode(failure);
    if (code != null) {
      // A script writes only at its end, so a script that an error stopped has written nothing,
      // unless the write itself failed.
      Effect effect = NO_EFFECT_CODES.contains(code) ? Effect.NONE : Effect.UNKNOWN;
      return new StoreFailure(effect, "Redis refused: " + errorReply(failure), failure);
    }
    if (failure instanceof RedisConnectionException) {
      String reason = failure.getCause() == null ? "" : ": " + ErrorText.reason(failure);
      return new StoreFailure(Effect.NONE, NOT_CONNECTED + reason, failure);
    }
    if (failure instanceof PartitionException) {
      return new StoreFailure(Effect.NONE, "no node is known for the slot", failure);
    }
    if (failure instanceof RedisException
        && String.valueOf(failure.getMessage()).contains("Currently not connected")) {
      return new StoreFailure(Effect.NONE, NOT_CONNECTED, failure);
    }
    if (failure instanceof RedisException || failure instanceof IOException) {
      return new StoreFailure(Effect.UNKNOWN, "the connection to Redis was lost", failure);
    }
    return new StoreFailure(Effect.UNKNOWN, "cannot call Redis: " + failure, failure);
  }
}

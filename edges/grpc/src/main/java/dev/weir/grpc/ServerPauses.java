package dev.weir.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import dev.weir.async.Scheduler;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How long calls have to wait, by server, method and key, because a server has denied one with
 * {@code RetryInfo}.
 *
 * <p>At most {@value #MAX_PAUSES} pauses are kept at a time; further ones are ignored. Thread-safe.
 */
final class ServerPauses {
  static final int MAX_PAUSES = 1_000;

  private final Scheduler scheduler;
  private final Duration maxPause;
  private final Map<String, Long> untilNanos = new ConcurrentHashMap<>();

  ServerPauses(Scheduler scheduler, Duration maxPause) {
    this.scheduler = scheduler;
    this.maxPause = maxPause;
  }

  /** Reads how a call ended. */
  void onClose(String paused, Status status, Metadata trailers) {
    Status.Code code = status.getCode();
    if (code != Status.Code.RESOURCE_EXHAUSTED && code != Status.Code.UNAVAILABLE) {
      return;
    }
    Duration delay = retryDelay(trailers);
    if (delay == null || delay.isZero() || delay.isNegative()) {
      return;
    }
    long until = scheduler.nanos() + (delay.compareTo(maxPause) < 0 ? delay : maxPause).toNanos();
    if (untilNanos.size() >= MAX_PAUSES) {
      untilNanos.values().removeIf(end -> end - scheduler.nanos() <= 0);
      if (untilNanos.size() >= MAX_PAUSES) {
        return;
      }
    }
    untilNanos.merge(paused, until, (known, other) -> known - other >= 0 ? known : other);
  }

  /** How long such calls have to wait; zero or less if they may be made. */
  long remainingNanos(String paused) {
    Long until = untilNanos.get(paused);
    if (until == null) {
      return 0;
    }
    long remaining = until - scheduler.nanos();
    if (remaining <= 0) {
      untilNanos.remove(paused, until);
    }
    return remaining;
  }

  int size() {
    return untilNanos.size();
  }

  /** Null if the server did not say so in words that can be read. */
  private static @Nullable Duration retryDelay(Metadata trailers) {
    try {
      com.google.rpc.Status details = trailers.get(DenialStatus.DETAILS);
      if (details != null) {
        for (Any one : details.getDetailsList()) {
          if (one.is(RetryInfo.class)) {
            com.google.protobuf.Duration delay = one.unpack(RetryInfo.class).getRetryDelay();
            return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
          }
        }
      }
    } catch (InvalidProtocolBufferException
        | IllegalArgumentException
        | DateTimeException
        | ArithmeticException e) {
      return null;
    }
    return null;
  }
}

package dev.weir.server.grpc;

import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.rls.RlsObserver;
import dev.weir.server.rls.RlsObserver.DecidingLimit;
import dev.weir.server.rls.RlsReply;
import dev.weir.server.telemetry.Decided;
import dev.weir.server.telemetry.RequestObserver;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Translates replies for the notes of requests. */
final class RlsNotes {
  private static final long MILLI_MICROS = 1_000;

  private RlsNotes() {}

  /** Notes the reply to a request. */
  static RlsObserver of(RequestObserver seen) {
    return seen == RequestObserver.NONE
        ? RlsObserver.NONE
        : (reply, limit) -> seen.onDecided(decided(reply, limit));
  }

  private static Decided decided(RlsReply reply, @Nullable DecidingLimit limit) {
    String degraded = reply.failureMode().map(DegradedDecision::label).orElse(null);
    if (limit == null) {
      Decided free = Decided.without(outcome(reply));
      return new Decided(
          free.outcome(), null, free.caller(), free.remaining(), free.retryMillis(), degraded);
    }
    OptionalLong retryMillis =
        reply.over()
            ? OptionalLong.of((limit.resetMicros() + MILLI_MICROS - 1) / MILLI_MICROS)
            : OptionalLong.empty();
    return new Decided(
        outcome(reply),
        limit.rule(),
        limit.caller(),
        OptionalLong.of(limit.remaining()),
        retryMillis,
        degraded);
  }

  private static String outcome(RlsReply reply) {
    if (reply.isUnanswered()) {
      return Decided.UNANSWERED;
    }
    return switch (reply.verdict()) {
      case OK -> Decided.ALLOWED;
      case SHADOWED -> Decided.SHADOWED;
      case OVER_LIMIT -> Decided.DENIED;
    };
  }
}

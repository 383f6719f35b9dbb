package dev.weir.grpc;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.weir.Decision.Verdict;
import dev.weir.library.Denial;
import dev.weir.library.web.Admission;
import dev.weir.library.web.ResponseStyle;
import dev.weir.rule.Rule;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;
import java.util.Optional;

/**
 * A denial in the words of gRPC. Its trailers are the caller's own, to add to.
 *
 * <p>Trailers have the details of {@code google.rpc.Status}: {@code ErrorInfo}, and {@code
 * RetryInfo} if waiting helps; and the pushback, which retry policies of gRPC obey.
 */
record DenialStatus(Status status, Metadata trailers) {
  static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private static final String DO_NOT_RETRY = "-1";
  private static final String DOMAIN = "weir.dev";
  private static final String NO_STORE = "the limits cannot be decided: the store does not answer";

  /** Why a call was denied, as {@code ErrorInfo} names it. */
  enum Reason {
    RATE_LIMIT_EXCEEDED,
    COST_ABOVE_LIMIT,
    CALLER_BLOCKED,
    STORE_UNAVAILABLE,
    SERVER_PUSHBACK
  }

  /** The denial of a server. */
  static DenialStatus of(Admission denied) {
    String rule = denied.rule().map(Rule::name).orElse("");
    if (denied.decision().isEmpty()) {
      return of(Status.UNAVAILABLE, NO_STORE, Reason.STORE_UNAVAILABLE, rule, denied.retryAfter());
    }
    boolean blocked = denied.decision().get().each().isEmpty();
    if (blocked) {
      boolean forbidden = denied.status(ResponseStyle.DEFAULT) == Rule.FORBIDDEN;
      return of(
          forbidden ? Status.PERMISSION_DENIED : Status.RESOURCE_EXHAUSTED,
          "blocked by " + rule,
          Reason.CALLER_BLOCKED,
          rule,
          Optional.empty());
    }
    boolean never = denied.decision().get().verdict() == Verdict.NEVER;
    return exhausted(never, rule, denied.retryAfter());
  }

  /** The denial of a limiter in the client. */
  static DenialStatus of(Denial denied) {
    return switch (denied.reason()) {
      case STORE_UNAVAILABLE ->
          of(
              Status.UNAVAILABLE,
              NO_STORE,
              Reason.STORE_UNAVAILABLE,
              denied.name(),
              Optional.of(Duration.ofSeconds(1)));
      case BLOCKED ->
          of(
              Status.RESOURCE_EXHAUSTED,
              "blocked by " + denied.name(),
              Reason.CALLER_BLOCKED,
              denied.name(),
              Optional.empty());
      case COST_ABOVE_LIMIT -> exhausted(true, denied.name(), Optional.empty());
      case LIMIT_REACHED -> exhausted(false, denied.name(), denied.retryAfter());
    };
  }

  /** The denial of a client whose server has asked it to wait. */
  static DenialStatus pausedFor(Duration wait) {
    String message = "the server asked to wait";
    return of(Status.RESOURCE_EXHAUSTED, message, Reason.SERVER_PUSHBACK, "", Optional.of(wait));
  }

  private static DenialStatus exhausted(boolean never, String rule, Optional<Duration> wait) {
    return of(
        Status.RESOURCE_EXHAUSTED,
        (never ? "the call costs more than the limit of " : "over the limit of ") + rule,
        never ? Reason.COST_ABOVE_LIMIT : Reason.RATE_LIMIT_EXCEEDED,
        rule,
        wait);
  }

  private static DenialStatus of(
      Status code, String message, Reason reason, String rule, Optional<Duration> wait) {
    ErrorInfo.Builder error = ErrorInfo.newBuilder().setReason(reason.name()).setDomain(DOMAIN);
    if (!rule.isEmpty()) {
      error.putMetadata("rule", rule);
    }
    com.google.rpc.Status.Builder details =
        com.google.rpc.Status.newBuilder()
            .setCode(code.getCode().value())
            .setMessage(message)
            .addDetails(Any.pack(error.build()));
    wait.ifPresent(time -> details.addDetails(Any.pack(retryInfo(time))));
    Metadata trailers = new Metadata();
    trailers.put(DETAILS, details.build());
    trailers.put(PUSHBACK, wait.map(DenialStatus::pushback).orElse(DO_NOT_RETRY));
    return new DenialStatus(code.withDescription(message), trailers);
  }

  private static RetryInfo retryInfo(Duration wait) {
    return RetryInfo.newBuilder()
        .setRetryDelay(
            com.google.protobuf.Duration.newBuilder()
                .setSeconds(wait.getSeconds())
                .setNanos(wait.getNano()))
        .build();
  }

  /** Whole milliseconds, rounded up so that the retry does not come too early. */
  private static String pushback(Duration wait) {
    long millis = wait.plusNanos(999_999).toMillis();
    return Long.toString(Math.min(millis, Integer.MAX_VALUE));
  }
}

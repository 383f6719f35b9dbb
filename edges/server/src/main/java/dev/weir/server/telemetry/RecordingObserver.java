package dev.weir.server.telemetry;

import dev.weir.Decision;
import dev.weir.rule.book.Match;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Notes what becomes of a request, and passes it on once it has ended. Reports may come from other
 * threads than the one that begins, one after the other.
 */
final class RecordingObserver extends RequestObserver {
  private static final int NO_ANSWER = -1;
  private static final int GRPC_OK = 0;
  private static final int GRPC_UNAVAILABLE = 14;
  private static final String GRPC_STATUS = "grpc-status";
  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;

  private final Telemetry telemetry;
  private final String endpoint;
  private final TraceContext trace;
  private final long startMicros;
  private final RequestLine http;

  /** The requests that were decided; mostly one. */
  private final List<Part> parts = new ArrayList<>(1);

  private @Nullable HttpServerResponse response;
  private boolean endsWithDecision;
  private boolean ended;

  RecordingObserver(
      Telemetry telemetry,
      String endpoint,
      TraceContext trace,
      long startMicros,
      RequestLine http) {
    this.telemetry = telemetry;
    this.endpoint = endpoint;
    this.trace = trace;
    this.startMicros = startMicros;
    this.http = http;
  }

  /** Ends with the response, or if the client leaves while the request is being decided. */
  RecordingObserver endWith(HttpServerResponse answer) {
    response = answer;
    answer.bodyEndHandler(sent -> end(answer.getStatusCode()));
    return this;
  }

  /** Ends with the decision of a call of gRPC, or with its response if there is no decision. */
  RecordingObserver endWithCall(HttpServerResponse answer) {
    endsWithDecision = true;
    answer.bodyEndHandler(sent -> end(grpcStatus(answer)));
    return this;
  }

  private static int grpcStatus(HttpServerResponse answer) {
    String status = answer.headers().get(GRPC_STATUS);
    return status == null || status.length() > 2 ? NO_ANSWER : Integer.parseInt(status);
  }

  /** One of the requests that are decided. */
  private static final class Part extends RequestObserver {
    final RequestLine subject;
    @Nullable Decided decided;

    Part(RequestLine subject) {
      this.subject = subject;
    }

    @Override
    public void onDecision(Match match, Decision decision) {
      decided = Decided.of(match, decision);
    }

    @Override
    public void onUnanswered(Match match) {
      decided = Decided.unanswered(match);
    }

    @Override
    public void onDecided(Decided other) {
      decided = other;
    }
  }

  @Override
  public void onRequest(@Nullable String method, @Nullable String target) {
    add(new Part(telemetry.subject(null, method, target)));
  }

  @Override
  public RequestObserver part(String operation, @Nullable String method, @Nullable String target) {
    Part part = new Part(telemetry.subject(operation, method, target));
    add(part);
    return part;
  }

  private void add(Part part) {
    if (parts.isEmpty() && response != null) {
      // Not earlier: while a body arrives, the handler belongs to whoever reads it.
      response.closeHandler(gone -> end(NO_ANSWER));
    }
    parts.add(part);
  }

  private Part only() {
    if (parts.isEmpty()) {
      parts.add(new Part(http));
    }
    return parts.get(0);
  }

  @Override
  public void onDecision(Match match, Decision decision) {
    only().onDecision(match, decision);
  }

  @Override
  public void onUnanswered(Match match) {
    only().onUnanswered(match);
  }

  @Override
  public void onDecided(Decided decided) {
    only().onDecided(decided);
    if (endsWithDecision) {
      end(GRPC_OK);
    }
  }

  @Override
  public void end(int status) {
    if (ended) {
      return;
    }
    ended = true;
    long micros = Math.max(0, telemetry.micros() - startMicros);
    if (parts.isEmpty()) {
      parts.add(new Part(http));
    }
    for (Part part : parts) {
      Decided decided = part.decided == null ? without(status) : part.decided;
      DecisionRecord record = record(part.subject, decided, status, micros);
      telemetry.add(record);
      // The first span was accounted for when the trace was found to be recorded.
      boolean first = part == parts.get(0);
      if (trace.sampled() && (first || telemetry.takeSpan())) {
        long spanId = first ? trace.spanId() : TraceContext.newSpanId();
        telemetry.add(new Span(trace, spanId, record));
      }
    }
  }

  private DecisionRecord record(RequestLine subject, Decided decided, int status, long micros) {
    OptionalInt known = status < 0 ? OptionalInt.empty() : OptionalInt.of(status);
    return new DecisionRecord(startMicros, micros, endpoint, subject, decided, known, traceId());
  }

  /** What became of a request that nobody decided. */
  private Decided without(int status) {
    if (status < 0) {
      return Decided.without(Decided.CLIENT_GONE);
    }
    boolean refused =
        endsWithDecision
            ? status != GRPC_UNAVAILABLE
            : status >= BAD_REQUEST && status < SERVER_ERROR;
    return Decided.without(refused ? Decided.REFUSED : Decided.FAILED);
  }

  @Override
  public @Nullable String traceId() {
    return trace.parent() == null && !trace.sampled() ? null : trace.traceId();
  }
}

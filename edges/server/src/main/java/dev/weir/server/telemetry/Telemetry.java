package dev.weir.server.telemetry;

import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import dev.weir.server.log.LineWriter;
import dev.weir.server.log.LogFormat;
import dev.weir.time.Ticker;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where the decisions of a server go beside the answer: to an access log, to a log of denials, and
 * as spans to a collector, each if it is wanted. Safe for use by any number of threads; nobody who
 * decides waits for it.
 */
public final class Telemetry implements AutoCloseable {
  /** Nothing goes anywhere. */
  public static final Telemetry NONE = new Builder(() -> 0).build();

  private static final Telemetry REHEARSAL = new Builder(Ticker.system()).discarding().build();

  /**
   * The maximum number of spans in a second. Callers choose which traces are recorded, and anybody
   * may be a caller.
   */
  static final int MAX_SPANS = 1_000;

  private final Ticker ticker;
  private final @Nullable LineWriter<DecisionRecord> access;
  private final boolean queries;
  private final @Nullable DenialLog denials;
  private final SpanSampler sampler;
  private final @Nullable Export export;
  private final RateBudget budget;
  private final boolean discards;
  private final LongAdder limited = new LongAdder();

  private Telemetry(Builder builder) {
    this.ticker = builder.ticker;
    this.access = builder.access;
    this.queries = builder.queries;
    this.denials = builder.denials;
    this.sampler = builder.sampler;
    this.export = builder.export;
    this.budget = new RateBudget(builder.maxSpans);
    this.discards = builder.discards;
  }

  /** Collects where decisions go. Not thread-safe. */
  public static final class Builder {
    private static final String ACCESS_LOG = "access log";

    private final Ticker ticker;
    private @Nullable LineWriter<DecisionRecord> access;
    private boolean queries;
    private @Nullable DenialLog denials;
    private SpanSampler sampler = SpanSampler.NEVER;
    private @Nullable Export export;
    private int maxSpans = MAX_SPANS;
    private boolean discards;

    /** Begins with nothing. */
    public Builder(Ticker ticker) {
      this.ticker = ticker;
    }

    /**
     * Writes a line for each decision.
     *
     * @param file a path; {@code -} for standard output
     * @param withQueries whether lines have the query strings of requests
     * @throws IOException if the file cannot be written
     */
    public Builder accessLog(String file, LogFormat format, boolean withQueries)
        throws IOException {
      return accessLog(
          LineWriter.open(ACCESS_LOG, file, new RecordLines(format)::access), withQueries);
    }

    Builder accessLog(LineWriter<DecisionRecord> writer, boolean withQueries) {
      access = writer;
      queries = withQueries;
      return this;
    }

    /** Logs a sample of denials; the log is closed with the rest. */
    public Builder denials(DenialLog log) {
      denials = log;
      return this;
    }

    /**
     * Sends metrics and spans; the export is started and closed with the rest.
     *
     * @param which decisions get a span
     */
    public Builder export(Export to, SpanSampler which) {
      export = to;
      sampler = which;
      return this;
    }

    private Builder discarding() {
      discards = true;
      return this;
    }

    Builder maxSpans(int perSecond) {
      maxSpans = perSecond;
      return this;
    }

    /** The telemetry. */
    public Telemetry build() {
      return new Telemetry(this);
    }
  }

  /** Notes everything, and passes nothing on: it warms up what requests will run. */
  public static Telemetry rehearsal() {
    return REHEARSAL;
  }

  private boolean isOff() {
    return access == null && denials == null && export == null && !discards;
  }

  /** Begins to send what is to be sent; called once, when all metrics are registered. */
  public void start() {
    if (export != null) {
      export.start();
    }
  }

  /**
   * Begins to note a request that will be answered by HTTP, with whose response the note ends.
   *
   * @param endpoint in a word, such as {@code check}
   */
  public RequestObserver begin(HttpServerRequest request, String endpoint) {
    if (isOff()) {
      return RequestObserver.NONE;
    }
    return begin(request, endpoint, trace(request.headers(), true)).endWith(request.response());
  }

  /**
   * Begins to note a call of gRPC. The note ends with the decision, or else with the response.
   *
   * @param endpoint in a word, such as {@code rls}
   */
  public RequestObserver beginCall(HttpServerRequest request, String endpoint) {
    if (isOff()) {
      return RequestObserver.NONE;
    }
    TraceContext trace = trace(request.headers(), true);
    return begin(request, endpoint, trace).endWithCall(request.response());
  }

  /**
   * Begins to note a request whose note ends with {@link RequestObserver#end}.
   *
   * @param endpoint in a word, such as {@code proxy}
   * @param trace of the request, from {@link #trace}
   */
  public RequestObserver beginOpen(HttpServerRequest request, String endpoint, TraceContext trace) {
    return isOff() ? RequestObserver.NONE : begin(request, endpoint, trace);
  }

  private RecordingObserver begin(HttpServerRequest request, String endpoint, TraceContext trace) {
    RequestLine subject = subject(null, request.method().name(), request.uri());
    return new RecordingObserver(this, endpoint, trace, ticker.micros(), subject);
  }

  /**
   * The trace of a request.
   *
   * @param trusted whether to believe the sender which traces are recorded
   */
  public TraceContext trace(MultiMap headers, boolean trusted) {
    TraceContext trace = TraceContext.of(TraceParent.of(headers), trusted, sampler);
    return trace.sampled() && !takeSpan() ? trace.unsampled() : trace;
  }

  /** Whether there may be one more span in this second. */
  boolean takeSpan() {
    if (budget.take(ticker.micros())) {
      return true;
    }
    limited.increment();
    return false;
  }

  RequestLine subject(
      @Nullable String operation, @Nullable String method, @Nullable String target) {
    return RequestLine.of(operation, method, target, queries);
  }

  long micros() {
    return ticker.micros();
  }

  /** Passes on what became of a request, without a span. */
  void add(DecisionRecord record) {
    if (discards) {
      return;
    }
    if (access != null) {
      access.add(record);
    }
    if (denials != null && record.decided().isDenial() && record.operation() == null) {
      denials.add(record);
    }
  }

  /** Passes on a span. */
  void add(Span span) {
    if (export != null) {
      export.add(span);
    }
  }

  /** Writes the metrics of the logs that there are. Called by any thread. */
  public void writeMetrics(MetricSink out) {
    if (access != null) {
      out.family("weir_access_log_dropped_total", MetricType.COUNTER, "Lines that were not written")
          .sample(access.dropped());
    }
    if (denials != null) {
      out.family("weir_denial_log_dropped_total", MetricType.COUNTER, "Lines that were not written")
          .sample(denials.dropped());
      out.family(
              "weir_denial_log_suppressed_total",
              MetricType.COUNTER,
              "Denials not logged, because there were too many of their rule")
          .sample(denials.suppressed());
    }
    if (export != null) {
      export.writeMetrics(out);
      out.family(
              "weir_spans_limited_total",
              MetricType.COUNTER,
              "Spans not recorded, because there were too many in a second")
          .sample(limited.sum());
    }
  }

  /** Sends and writes what waits, for a few seconds at most each. */
  @Override
  public void close() {
    if (export != null) {
      export.close();
    }
    if (access != null) {
      access.close();
    }
    if (denials != null) {
      denials.close();
    }
  }
}

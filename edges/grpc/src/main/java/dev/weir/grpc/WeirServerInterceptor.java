package dev.weir.grpc;

import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.internal.Rejections;
import dev.weir.library.RulesLimiter;
import dev.weir.library.web.Admission;
import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls of a gRPC server by rules: a call that may pass goes on, with rate limit headers
 * in its metadata, and any other is closed with {@code RESOURCE_EXHAUSTED}, {@code
 * PERMISSION_DENIED} or {@code UNAVAILABLE}.
 *
 * <p>Rules see a call as the HTTP request that carries it: {@code POST /package.Service/Method}, so
 * the same file serves a gateway, servlets and gRPC.
 *
 * <p>It never blocks. If the store has to be asked, nothing is requested from the client until the
 * store has answered; a call that is cancelled meanwhile costs nothing. Concurrency permits are
 * released when the call ends, in whatever way. A call is charged once, however many interceptors
 * with the same limiter it passes.
 *
 * <p>Safe for use by any number of threads.
 */
public final class WeirServerInterceptor implements ServerInterceptor {
  /**
   * All methods but those of the standard health and reflection services: an orchestrator that is
   * denied would restart a server that works.
   */
  public static final PathScope DEFAULT_SCOPE =
      PathScope.of(
          List.of(),
          List.of(
              "/grpc.health.v1.Health/**",
              "/grpc.reflection.v1.ServerReflection/**",
              "/grpc.reflection.v1alpha.ServerReflection/**"));

  private final RulesLimiter limiter;
  private final ResponseStyle style;
  private final PathScope scope;
  private final CallIdentity identity;
  private final Executor executor;
  private final Scheduler scheduler;

  private WeirServerInterceptor(Builder builder) {
    this.limiter = builder.limiter;
    this.style = builder.style;
    this.scope = builder.scope;
    this.identity = builder.identity;
    this.executor = builder.executor;
    this.scheduler = builder.scheduler == null ? Timers.shared() : builder.scheduler;
  }

  /**
   * An interceptor with all headers, for all methods but health and reflection.
   *
   * @throws IllegalArgumentException if the limiter is null
   */
  public static WeirServerInterceptor of(RulesLimiter limiter) {
    return builder(limiter).build();
  }

  /**
   * Builds an interceptor.
   *
   * @throws IllegalArgumentException if the limiter is null
   */
  public static Builder builder(RulesLimiter limiter) {
    return new Builder(limiter);
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    if (AdmittedCall.isSeen(call, limiter) || !scope.covers(CallRequest.target(call))) {
      return next.startCall(call, headers);
    }
    CompletableFuture<Admission> decision =
        limiter.admitAsync(new CallRequest(call, headers, identity), executor);
    Starter<ReqT, RespT> starter = new Starter<>(call, headers, next);
    if (!decision.isDone() || decision.isCompletedExceptionally()) {
      PendingCall<ReqT> pending = new PendingCall<>(starter, scheduler, executor);
      pending.await(decision);
      return pending;
    }
    Admission admission = decision.join();
    if (admission.delay().isZero()) {
      return starter.start(admission);
    }
    PendingCall<ReqT> pending = new PendingCall<>(starter, scheduler, executor);
    pending.hold(admission);
    return pending;
  }

  /** What becomes of one call once it is decided about. */
  private final class Starter<ReqT, RespT> implements PendingCall.Handler<ReqT> {
    private final ServerCall<ReqT, RespT> call;
    private final Metadata headers;
    private final ServerCallHandler<ReqT, RespT> next;

    Starter(ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
      this.call = call;
      this.headers = headers;
      this.next = next;
    }

    @Override
    public ServerCall.Listener<ReqT> start(Admission admission) {
      if (!admission.allowed()) {
        DenialStatus denial = DenialStatus.of(admission);
        RateLimitMetadata.write(admission, style, denial.trailers());
        call.close(denial.status(), denial.trailers());
        return new ServerCall.Listener<>() {};
      }
      try {
        ServerCall.Listener<ReqT> listener =
            next.startCall(new AdmittedCall<>(call, limiter, admission, style), headers);
        return admission.holdsPermits() ? new ReleasingListener<>(listener, admission) : listener;
      } catch (RuntimeException | Error e) {
        admission.close();
        throw e;
      }
    }

    @Override
    public void failStart(Throwable failure) {
      close(Status.fromThrowable(failure));
    }

    @Override
    public void failEvent(Throwable failure) {
      close(Status.UNKNOWN.withDescription("the application failed").withCause(failure));
    }

    private void close(Status status) {
      try {
        call.close(status, new Metadata());
      } catch (IllegalStateException e) {
        // The application has closed it before it failed.
      }
    }
  }

  private static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw Rejections.of(field, "null", "a value");
    }
    return value;
  }

  /**
   * Builds a {@link WeirServerInterceptor}. Every method throws an {@link IllegalArgumentException}
   * if its argument is null. Not thread-safe.
   */
  public static final class Builder {
    private final RulesLimiter limiter;
    private ResponseStyle style = ResponseStyle.DEFAULT;
    private PathScope scope = DEFAULT_SCOPE;
    private CallIdentity identity = (call, headers) -> null;
    private Executor executor = Continuations.shared();
    private @Nullable Scheduler scheduler;

    private Builder(RulesLimiter limiter) {
      this.limiter = present("limiter", limiter);
    }

    /** Which rate limit headers are sent; all by default. */
    public Builder headers(Set<Family> families) {
      this.style = ResponseStyle.DEFAULT.headers(families);
      return this;
    }

    /**
     * Which methods are limited, by patterns of their paths such as {@code /package.Service/**};
     * {@link #DEFAULT_SCOPE} by default.
     */
    public Builder scope(PathScope methods) {
      this.scope = present("scope", methods);
      return this;
    }

    /** Names the caller for rules that read {@code principal}; nobody by default. */
    public Builder identity(CallIdentity principal) {
      this.identity = present("identity", principal);
      return this;
    }

    /**
     * Starts calls for which a shared store was asked, or which a leaky bucket has held; by default
     * the threads of {@link Continuations#shared()}.
     */
    public Builder executor(Executor starts) {
      this.executor = present("executor", starts);
      return this;
    }

    /** The timers of calls that a leaky bucket holds, for tests. */
    public Builder scheduler(Scheduler timers) {
      this.scheduler = present("scheduler", timers);
      return this;
    }

    /** The interceptor. */
    public WeirServerInterceptor build() {
      return new WeirServerInterceptor(this);
    }
  }
}

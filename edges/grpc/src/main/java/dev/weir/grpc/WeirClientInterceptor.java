package dev.weir.grpc;

import dev.weir.async.Scheduler;
import dev.weir.grpc.internal.CallbackThreads;
import dev.weir.internal.Rejections;
import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.RateLimiter;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls that a client makes, and lets them wait when a server asks for it.
 *
 * <p>A call waits for a limiter up to its deadline, without blocking a thread, and fails with
 * {@code RESOURCE_EXHAUSTED} if its turn would come too late. After a server has denied a call with
 * {@code RetryInfo}, further calls of that method and key wait as long, or fail like that if their
 * deadline is earlier. Concurrency permits are released when the call is closed or cancelled.
 *
 * <p>Safe for use by any number of threads, and by several channels.
 */
public final class WeirClientInterceptor implements ClientInterceptor {
  private static final Duration MAX_DURATION = Duration.ofDays(1);

  private final ClientLimits limits;
  private final CallKey key;
  private final Duration maxWait;
  private final Executor executor;

  private WeirClientInterceptor(Builder builder) {
    this.limits =
        new ClientLimits(
            builder.rate,
            builder.concurrency,
            builder.scheduler == null ? Timers.shared() : builder.scheduler,
            builder.random,
            builder.maxPause);
    this.key = builder.key;
    this.maxWait = builder.maxWait;
    this.executor = builder.executor;
  }

  /** An interceptor that has no limits of its own, and waits when servers ask for it. */
  public static WeirClientInterceptor create() {
    return builder().build();
  }

  /** Builds an interceptor. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public <ReqT, RespT> ClientCall<ReqT, RespT> interceptCall(
      MethodDescriptor<ReqT, RespT> method, CallOptions options, Channel next) {
    String counted = key.of(method, options);
    // A server that denies one tenant's call does not ask the others to pause.
    String paused = next.authority() + "/" + method.getFullMethodName() + " " + counted;
    CallTurn turn = new CallTurn(limits, paused, counted, atMost(options));
    Executor callbacks = options.getExecutor();
    return new HeldCall<>(
        next.newCall(method, options),
        turn,
        limits.pauses(),
        paused,
        callbacks == null ? executor : callbacks);
  }

  private Duration atMost(CallOptions options) {
    long nanos = maxWait.toNanos();
    nanos = Math.min(nanos, remainingNanos(options.getDeadline()));
    nanos = Math.min(nanos, remainingNanos(Context.current().getDeadline()));
    return Duration.ofNanos(Math.max(0, nanos));
  }

  private static long remainingNanos(@Nullable Deadline deadline) {
    return deadline == null ? Long.MAX_VALUE : deadline.timeRemaining(TimeUnit.NANOSECONDS);
  }

  private static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw Rejections.of(field, "null", "a value");
    }
    return value;
  }

  private static Duration between(String field, Duration value, Duration min) {
    if (present(field, value).compareTo(min) < 0 || value.compareTo(MAX_DURATION) > 0) {
      throw Rejections.of(field, value, "between " + min + " and " + MAX_DURATION);
    }
    return value;
  }

  /**
   * Builds a {@link WeirClientInterceptor}. Every method throws an {@link IllegalArgumentException}
   * if its argument is null. Not thread-safe.
   */
  public static final class Builder {
    private @Nullable RateLimiter rate;
    private @Nullable ConcurrencyLimiter concurrency;
    private CallKey key = CallKey.METHOD;
    private Duration maxWait = Duration.ofSeconds(10);
    private Duration maxPause = Duration.ofMinutes(1);
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
    private Executor executor = CallbackThreads.shared();
    private @Nullable Scheduler scheduler;

    private Builder() {}

    /** How many calls are made in a time; unlimited by default. */
    public Builder rate(RateLimiter limiter) {
      this.rate = present("rate", limiter);
      return this;
    }

    /**
     * How many calls are in flight; unlimited by default. A permit expires if a call takes longer
     * than the limiter's expiry.
     */
    public Builder concurrency(ConcurrencyLimiter limiter) {
      this.concurrency = present("concurrency", limiter);
      return this;
    }

    /** By which key calls are counted, and paused with their method; by method by default. */
    public Builder key(CallKey counted) {
      this.key = present("key", counted);
      return this;
    }

    /**
     * How long a call waits at most before it starts, if its deadline is not earlier; 10 seconds by
     * default.
     *
     * @throws IllegalArgumentException if it is negative or longer than a day
     */
    public Builder maxWait(Duration atMost) {
      this.maxWait = between("max wait", atMost, Duration.ZERO);
      return this;
    }

    /**
     * For how long a server is believed at most that asks for a pause; one minute by default. Zero
     * ignores what servers ask for.
     *
     * @throws IllegalArgumentException if it is negative or longer than a day
     */
    public Builder maxPause(Duration atMost) {
      this.maxPause = between("max pause", atMost, Duration.ZERO);
      return this;
    }

    /**
     * Reports to the application how a call ended that never started, if the call has no executor
     * of its own; by default a pool of daemon threads.
     */
    public Builder executor(Executor callbacks) {
      this.executor = present("executor", callbacks);
      return this;
    }

    /** The timers of calls that wait for a server, for tests. */
    public Builder scheduler(Scheduler timers) {
      this.scheduler = present("scheduler", timers);
      return this;
    }

    /** The chance by which calls wait a little longer than a server asks for, for tests. */
    public Builder random(RandomGenerator chance) {
      this.random = present("random", chance);
      return this;
    }

    /** The interceptor. */
    public WeirClientInterceptor build() {
      return new WeirClientInterceptor(this);
    }
  }
}

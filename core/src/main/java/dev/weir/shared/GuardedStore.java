package dev.weir.shared;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.CallerFuture;
import dev.weir.async.Scheduler;
import dev.weir.shared.CircuitBreaker.State;
import dev.weir.shared.CircuitBreakers.Permission;
import dev.weir.shared.CircuitBreakers.Permissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store with a deadline for each call and a circuit breaker for each shard.
 *
 * <p><b>How.</b> A call needs the permission of the circuit breakers of its shards. If one is open,
 * the call fails at once with effect {@link Effect#NONE}. Otherwise it goes to the store, and fails
 * with effect {@link Effect#UNKNOWN} if there is no answer by the deadline. Each result goes to the
 * listener and to the breakers. When a probe succeeds, {@link Listener#onProbeAnswered} gets up to
 * one second to bring the store up to date; then the breaker closes.
 *
 * <p><b>Guarantees.</b> Every call is answered by its deadline, with a {@link StoreFailure} if need
 * be; what then becomes of the request is for its rule to say. No call is sent twice. A grant that
 * arrives after its caller cancelled is refunded.
 *
 * <p>Safe for use by any number of threads.
 */
public final class GuardedStore implements Store {
  /** The limit of the keys that health probes charge. */
  private static final Limit PROBE_LIMIT = Limit.fixedWindow(1, Duration.ofSeconds(1));

  /** How long recovery work may delay the closing of a circuit breaker. */
  private static final long MAX_RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final GuardSettings settings;
  private final Scheduler scheduler;
  private final Listener listener;
  private final CircuitBreakers breakers;
  private final Deadlines deadlines;
  private final LongAdder rejected = new LongAdder();

  /** Receives the results of calls and the state changes of circuit breakers. */
  public interface Listener {
    /** A listener that ignores everything. */
    Listener NONE = new Listener() {};

    /** A request was answered, or failed. Called on the path of a request: be quick. */
    default void onAnswer(@Nullable Throwable failure) {}

    /** A request or a probe failed in a shard. Called on the path of a request: be quick. */
    default void onFailure(String shard, Throwable failure) {}

    /** The circuit breaker of a shard opened. */
    default void onOpened(String shard, Throwable failure) {}

    /**
     * A probe was answered. Once the stage is complete, or soon after, the circuit breaker closes.
     */
    default CompletionStage<?> onProbeAnswered() {
      return CompletableFuture.completedStage(null);
    }

    /** The circuit breaker of a shard closed. */
    default void onClosed(String shard) {}
  }

  /** Guards a store; each of its shards gets a circuit breaker of its own. */
  public GuardedStore(
      Store store, Shards shards, GuardSettings settings, Scheduler scheduler, Listener listener) {
    this.store = store;
    this.settings = settings;
    this.scheduler = scheduler;
    this.listener = listener;
    this.breakers = new CircuitBreakers(shards, settings);
    this.deadlines = new Deadlines(scheduler);
  }

  /** Requests rejected by an open circuit breaker, probes included. */
  long rejected() {
    return rejected.sum();
  }

  /** Whether the circuit breakers of all shards are closed. */
  boolean isCircuitClosed() {
    return breakers.state() == State.CLOSED;
  }

  /** Whether the circuit breaker of a shard is closed. */
  boolean isCircuitClosed(String shard) {
    return breakers.state(shard) == State.CLOSED;
  }

  /** Whether the shard of a key answers, so that pending charges can be sent to it. */
  boolean isReachable(LimitKey key) {
    return breakers.isReachable(key);
  }

  /** The state of the circuit breakers: closed, open or half-open; of several, the worst. */
  String state() {
    return breakers.state().label();
  }

  /**
   * Sends a health probe to each shard, whether or not its circuit breaker is open; call it about
   * every second. So a store that is back is used again at once, and an outage is noticed even
   * without traffic. A probe charges a key that no caller uses: a store may answer reads and refuse
   * every write.
   */
  Map<String, CompletionStage<Decision>> probe() {
    Map<String, CompletionStage<Decision>> results = new LinkedHashMap<>();
    breakers.refreshShards().forEach((shard, key) -> results.put(shard, probe(shard, key)));
    return results;
  }

  /** Sends a health probe to one shard; the probe of a shard that no longer exists fails. */
  CompletionStage<Decision> probe(String shard) {
    LimitKey key = breakers.refreshShards().get(shard);
    return key == null
        ? CompletableFuture.failedStage(
            new StoreFailure(Effect.UNKNOWN, "the shard no longer exists", null))
        : probe(shard, key);
  }

  /** Rejects requests to a shard that cannot be reached at the start, until it answers a probe. */
  void openAtStart(String shard) {
    breakers.openAtStart(shard, scheduler.nanos());
  }

  private CompletionStage<Decision> probe(String shard, LimitKey key) {
    long now = scheduler.nanos();
    Permissions permissions = breakers.tryPassHealthProbe(shard, now);
    return permissions == null
        ? CompletableFuture.failedStage(circuitOpen())
        : call(
                permissions,
                false,
                Operation.CHARGE,
                List.of(new Claim(PROBE_LIMIT, key, 1, 0)),
                now)
            .stage();
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    long now = scheduler.nanos();
    if (!isCircuitClosed() && !claims.stream().allMatch(claim -> isReachable(claim.key()))) {
      rejected.increment();
    }
    Permissions permissions = breakers.tryPass(claims, now);
    return permissions == null
        ? Answer.failed(circuitOpen())
        : call(permissions, true, operation, claims, now);
  }

  private static StoreFailure circuitOpen() {
    return new StoreFailure(Effect.NONE, "the circuit breaker of the store is open", null);
  }

  /**
   * Calls the store.
   *
   * @param isRequest false for a health probe, of which the listener hears only failures
   */
  private Answer call(
      Permissions permissions,
      boolean isRequest,
      Operation operation,
      List<Claim> claims,
      long nowNanos) {
    Answer answer;
    try {
      answer = store.apply(operation, claims);
    } catch (StoreFailure e) {
      onFailure(permissions, isRequest, nowNanos, e);
      return Answer.failed(e);
    } catch (RuntimeException | Error e) {
      // Not a failure of the store, but a probe must have an outcome.
      onSuccess(permissions, isRequest);
      throw e;
    }
    if (answer instanceof Decision) {
      onSuccess(permissions, isRequest);
      return answer;
    }
    Runnable refund =
        operation == Operation.TAKE ? () -> store.apply(Operation.REFUND, claims) : () -> {};
    PendingCall call = new PendingCall(answer, permissions, isRequest, nowNanos, refund);
    deadlines.add(call);
    CallerFuture.onAnswer(answer, call::onStoreAnswer);
    return call;
  }

  /** Reports to the breakers even if the listener throws: a probe must have an outcome. */
  private void onSuccess(Permissions permissions, boolean isRequest) {
    try {
      reportAnswer(isRequest, null);
    } finally {
      Permission probe = permissions.probe();
      if (probe == null) {
        permissions.onSuccess(scheduler.nanos());
      } else {
        recover(probe);
      }
    }
  }

  private void reportAnswer(boolean isRequest, @Nullable Throwable failure) {
    if (isRequest) {
      listener.onAnswer(failure);
    }
  }

  private void recover(Permission probe) {
    probe.breaker().onProbeAnswered(probe.generation());
    scheduler.schedule(MAX_RECOVERY_NANOS, () -> close(probe));
    var unused = listener.onProbeAnswered().whenComplete((done, failure) -> close(probe));
  }

  private void close(Permission probe) {
    if (probe.breaker().close(probe.generation())) {
      breakers.onClosed();
      listener.onClosed(probe.shard());
    }
  }

  private void onFailure(
      Permissions permissions, boolean isRequest, long sentNanos, Throwable failure) {
    try {
      reportAnswer(isRequest, failure);
    } finally {
      Permission failed = permissions.failed(failure);
      if (failed != null) {
        listener.onFailure(failed.shard(), failure);
        if (failed.onFailure(sentNanos, scheduler.nanos())) {
          listener.onOpened(failed.shard(), failure);
        }
      }
    }
  }

  /** A call that the store has yet to answer. */
  private final class PendingCall extends DeadlineFuture {
    private final Permissions permissions;
    private final boolean isRequest;
    private final long sentNanos;
    private final Runnable refund;

    /**
     * A call that was sent.
     *
     * @param refund refunds a grant whose caller no longer waits for it
     */
    PendingCall(
        Answer answer,
        Permissions permissions,
        boolean isRequest,
        long sentNanos,
        Runnable refund) {
      super(answer, sentNanos + settings.deadline().toNanos(), scheduler.continuations());
      this.permissions = permissions;
      this.isRequest = isRequest;
      this.sentNanos = sentNanos;
      this.refund = refund;
    }

    @Override
    void onSuccess() {
      GuardedStore.this.onSuccess(permissions, isRequest);
    }

    @Override
    void onFailure(Throwable failure) {
      GuardedStore.this.onFailure(permissions, isRequest, sentNanos, failure);
    }

    @Override
    protected void onAbandoned(Decision granted) {
      refund.run();
    }
  }
}

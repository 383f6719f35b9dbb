package dev.weir.redis.batch;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.ReadOnlyReconnect;
import dev.weir.redis.connection.RedisFailures;
import dev.weir.redis.script.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends the batches of a lane: one call of a script for each slot, repeated where Redis says that
 * it has done nothing. Thread-safe.
 */
final class BatchSender implements Lane.Sender {
  private static final int MAX_ATTEMPTS = 3;

  /** Error codes that mean that nothing was done, so that a second attempt charges once only. */
  private static final Set<String> RETRYABLE_CODES = Set.of("NOSCRIPT", "TRYAGAIN", "STALE");

  private final String node;
  private final Link link;
  private final ScriptCaller scripts;
  private final CompletionExecutor completions;
  private final StallClock clock;
  private final ReadOnlyReconnect readOnlyReconnect;

  /**
   * Sends to {@code node}.
   *
   * @param clock the clock of the deadlines
   * @param reconnectInterval the minimum time between reconnects because of READONLY errors
   */
  BatchSender(
      String node,
      Link link,
      ScriptCaller scripts,
      CompletionExecutor completions,
      StallClock clock,
      Duration reconnectInterval) {
    this.node = node;
    this.link = link;
    this.scripts = scripts;
    this.completions = completions;
    this.clock = clock;
    this.readOnlyReconnect = new ReadOnlyReconnect(link, reconnectInterval);
  }

  @Override
  public void send(List<PendingRequest> batch, Runnable done) {
    Collection<List<PendingRequest>> slots = bySlot(batch);
    AtomicInteger inFlight = new AtomicInteger(slots.size());
    for (List<PendingRequest> slot : slots) {
      CompletionStage<@Nullable Void> answered;
      try {
        answered = call(slot, 1);
      } catch (RuntimeException e) {
        answered = CompletableFuture.failedStage(e);
      }
      answered.whenComplete(
          (nothing, failure) -> {
            if (failure != null) {
              Lane.fail(slot, storeFailure(StoreFailure.cause(failure)));
            }
            if (inFlight.decrementAndGet() == 0) {
              done.run();
            }
          });
    }
  }

  /** Groups requests by slot; usually there is only one. */
  private Collection<List<PendingRequest>> bySlot(List<PendingRequest> batch) {
    Map<Integer, List<PendingRequest>> slots = new HashMap<>();
    int first = slot(batch.get(0));
    for (int i = 1; i < batch.size(); i++) {
      int slot = slot(batch.get(i));
      if (slots.isEmpty() && slot != first) {
        slots.put(first, new ArrayList<>(batch.subList(0, i)));
      }
      if (!slots.isEmpty()) {
        slots.computeIfAbsent(slot, absent -> new ArrayList<>()).add(batch.get(i));
      }
    }
    return slots.isEmpty() ? List.of(batch) : slots.values();
  }

  private int slot(PendingRequest request) {
    return link.nodeSlot(request.claims.get(0).key()).slot();
  }

  @Override
  public void onUnresponsive() {
    link.reconnect(node);
  }

  /** Calls the script that fits, and completes each request. */
  private CompletionStage<@Nullable Void> call(List<PendingRequest> requests, int attempt) {
    return call(scripts.fastestCall(new Batch(requests)), false, attempt);
  }

  private CompletionStage<@Nullable Void> call(Call call, boolean withText, int attempt) {
    return scripts
        .send(call, withText)
        .handle((reply, failure) -> onReply(call, reply, failure, attempt))
        .thenCompose(stage -> stage);
  }

  private CompletionStage<@Nullable Void> onReply(
      Call call, byte @Nullable [] reply, @Nullable Throwable failure, int attempt) {
    Batch batch = call.batch();
    if (failure == null && reply != null) {
      if (CompletionExecutor.isLarge(batch)) {
        completions.execute(() -> complete(call, reply));
      } else {
        complete(call, reply);
      }
      return CompletableFuture.completedStage(null);
    }
    if (failure == null && call.script() == Script.TAKES) {
      // It has done nothing, because a limit has changed; the other script can decide.
      StoreFailure late = new StoreFailure(Effect.NONE, "Redis did not answer in time", null);
      List<PendingRequest> inTime = failExpired(batch, late);
      return inTime.isEmpty()
          ? CompletableFuture.completedStage(null)
          : call(scripts.claimsCall(new Batch(inTime)), false, attempt);
    }
    Throwable cause =
        failure == null ? new IllegalStateException("no answer") : StoreFailure.cause(failure);
    String code = RedisFailures.errorCode(cause);
    if (attempt < MAX_ATTEMPTS && RETRYABLE_CODES.contains(String.valueOf(code))) {
      List<PendingRequest> inTime = failExpired(batch, RedisFailures.of(cause));
      return inTime.isEmpty()
          ? CompletableFuture.completedStage(null)
          : retry(call, inTime, cause, attempt + 1);
    }
    if ("READONLY".equals(code)) {
      readOnlyReconnect.onReadOnly(node);
    }
    Lane.fail(batch.requests(), storeFailure(cause));
    return CompletableFuture.completedStage(null);
  }

  /** Completes the requests of a call from its reply; if the reply is invalid, they fail. */
  private static void complete(Call call, byte[] reply) {
    try {
      call.complete(reply);
    } catch (RuntimeException | Error e) {
      Lane.fail(call.batch().requests(), RedisFailures.of(e));
    }
  }

  private StoreFailure storeFailure(Throwable cause) {
    return RedisFailures.of(cause, () -> link.connectFailure(node));
  }

  /** Fails the requests whose deadline has passed, and returns the others. */
  private List<PendingRequest> failExpired(Batch batch, StoreFailure failure) {
    List<PendingRequest> inTime = new ArrayList<>();
    for (PendingRequest request : batch.requests()) {
      if (clock.leftNanos(request.deadline) > 0) {
        inTime.add(request);
      } else {
        request.onFailure(failure);
      }
    }
    return inTime;
  }

  private CompletionStage<@Nullable Void> retry(
      Call call, List<PendingRequest> requests, Throwable cause, int attempt) {
    Batch batch = new Batch(requests);
    return switch (String.valueOf(RedisFailures.errorCode(cause))) {
      case "NOSCRIPT" ->
          call(
              call.script() == Script.TAKES ? scripts.takesCall(batch) : scripts.claimsCall(batch),
              true,
              attempt);
      case "STALE" ->
          call(scripts.claimsCall(batch, RedisFailures.staleMicros(cause)), false, attempt);
      default -> callEach(requests, attempt);
    };
  }

  /**
   * Calls the script for each request alone: while a slot is migrated its keys are on two nodes,
   * but those of one request may be together.
   */
  private CompletionStage<@Nullable Void> callEach(List<PendingRequest> requests, int attempt) {
    CompletableFuture<@Nullable Void> all = CompletableFuture.completedFuture(null);
    for (PendingRequest request : requests) {
      CompletionStage<@Nullable Void> one = call(List.of(request), attempt);
      all = all.thenCombine(one, (left, right) -> null);
    }
    return all;
  }
}

package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How a lane sends: a batch is a call of a script for each slot. */
final class Sending implements Lane.Sender {
  private static final int TRIES = 3;

  /** Each of these says that nothing was done, so that asking once more charges nobody twice. */
  private static final Set<String> NOT_DONE = Set.of("NOSCRIPT", "TRYAGAIN", "STALE");

  private final String server;
  private final Link link;
  private final RedisSettings settings;
  private final Keys keys;
  private final @Nullable Ticker ticker;
  private final Ticker near;
  private final Answers answers;
  private final StallClock clock;
  private final LongAdder calls;
  private final Renewal renewal;

  /**
   * @param clock by which deadlines are counted
   * @param near tells about what time it is, by which calendar windows are chosen
   * @param calls counts the calls of the script
   */
  Sending(
      String server,
      Link link,
      RedisSettings settings,
      Keys keys,
      @Nullable Ticker ticker,
      Ticker near,
      Answers answers,
      StallClock clock,
      LongAdder calls) {
    this.server = server;
    this.link = link;
    this.settings = settings;
    this.keys = keys;
    this.ticker = ticker;
    this.near = near;
    this.answers = answers;
    this.clock = clock;
    this.calls = calls;
    this.renewal = new Renewal(link, settings.patience());
  }

  @Override
  public void send(List<Pending> batch, Runnable done) {
    Collection<List<Pending>> slots = bySlot(batch);
    AtomicInteger out = new AtomicInteger(slots.size());
    for (List<Pending> together : slots) {
      CompletionStage<@Nullable Void> answered;
      try {
        answered = call(together, 1);
      } catch (RuntimeException e) {
        answered = CompletableFuture.failedStage(e);
      }
      answered.whenComplete(
          (nothing, failure) -> {
            if (failure != null) {
              Lane.fail(together, failed(StoreFailure.cause(failure)));
            }
            if (out.decrementAndGet() == 0) {
              done.run();
            }
          });
    }
  }

  /** Mostly there is but one. */
  private Collection<List<Pending>> bySlot(List<Pending> batch) {
    Map<Integer, List<Pending>> slots = new HashMap<>();
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

  private int slot(Pending request) {
    return link.place(request.claims.get(0).key()).slot();
  }

  @Override
  public void silent() {
    link.renew(server);
  }

  /** Calls the script that fits, and gives each request its answer. */
  private CompletionStage<@Nullable Void> call(List<Pending> requests, int attempt) {
    Batch batch = new Batch(requests);
    return call(batch.isPlain() ? new TakesCall(batch, keys) : everything(batch), false, attempt);
  }

  private Call everything(Batch batch) {
    return new ClaimsCall(batch, keys, near.micros());
  }

  /**
   * @param whole whether to send the script's text, for a server that has not seen it
   */
  private CompletionStage<@Nullable Void> call(Call call, boolean whole, int attempt) {
    Script script = call.script();
    long given = ticker == null ? 0 : ticker.micros();
    calls.increment();
    byte[][] names = call.batch().names(keys);
    byte[][] arguments = call.arguments(given, settings.keptMillis());
    CompletionStage<byte[]> answer =
        script.call(link.commands(), whole, ScriptOutputType.VALUE, names, arguments);
    return answer
        .handle((bytes, failure) -> came(call, bytes, failure, attempt))
        .thenCompose(stage -> stage);
  }

  private CompletionStage<@Nullable Void> came(
      Call call, byte @Nullable [] bytes, @Nullable Throwable failure, int attempt) {
    Batch batch = call.batch();
    if (failure == null && bytes != null) {
      answers.give(call, bytes);
      return CompletableFuture.completedStage(null);
    }
    if (failure == null && call.script() == Script.TAKES) {
      // It has done nothing, for a limit has changed; the other one knows what to do.
      StoreFailure late = new StoreFailure(Effect.NONE, "Redis did not answer in time", null);
      List<Pending> others = inTime(batch, late);
      return others.isEmpty()
          ? CompletableFuture.completedStage(null)
          : call(everything(new Batch(others)), false, attempt);
    }
    Throwable cause =
        failure == null ? new IllegalStateException("no answer") : StoreFailure.cause(failure);
    String word = Failures.word(cause);
    if (attempt < TRIES && NOT_DONE.contains(String.valueOf(word))) {
      List<Pending> others = inTime(batch, Failures.of(cause));
      return others.isEmpty()
          ? CompletableFuture.completedStage(null)
          : again(call, others, cause, attempt + 1);
    }
    if ("READONLY".equals(word)) {
      renewal.readOnly(server);
    }
    Lane.fail(batch.requests(), failed(cause));
    return CompletableFuture.completedStage(null);
  }

  private StoreFailure failed(Throwable cause) {
    return Failures.of(cause, () -> link.whyNotConnected(server));
  }

  /** Those that may be asked again; to the others, whose time is over, nothing was done. */
  private List<Pending> inTime(Batch batch, StoreFailure failure) {
    List<Pending> others = new ArrayList<>();
    for (Pending request : batch.requests()) {
      if (clock.leftNanos(request.deadline) > 0) {
        others.add(request);
      } else {
        request.ended(failure);
      }
    }
    return others;
  }

  private CompletionStage<@Nullable Void> again(
      Call call, List<Pending> requests, Throwable cause, int attempt) {
    Batch batch = new Batch(requests);
    return switch (String.valueOf(Failures.word(cause))) {
      case "NOSCRIPT" ->
          call(
              call.script() == Script.TAKES ? new TakesCall(batch, keys) : everything(batch),
              true,
              attempt);
      case "STALE" ->
          call(new ClaimsCall(batch, keys, Failures.staleMicros(cause)), false, attempt);
      default -> callEach(requests, attempt);
    };
  }

  /** Some keys of a slot have moved, and others not yet; those of one request may be together. */
  private CompletionStage<@Nullable Void> callEach(List<Pending> requests, int attempt) {
    CompletableFuture<@Nullable Void> all = CompletableFuture.completedFuture(null);
    for (Pending request : requests) {
      CompletionStage<@Nullable Void> one = call(List.of(request), attempt);
      all = all.thenCombine(one, (left, right) -> null);
    }
    return all;
  }
}

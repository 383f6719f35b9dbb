package dev.weir.shared;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.testkit.time.ManualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * A store behind a simulated network, which a test makes slow, disconnects, or lets lose answers.
 */
public final class RemoteStore implements Store {
  private final Store store;
  private final ManualScheduler scheduler;

  /** The operations that arrived, each with its total cost. */
  public final List<String> received = new ArrayList<>();

  /** The time from a request to its answer. */
  public Duration roundTrip = Duration.ofMillis(1);

  /** How long a caller is blocked while it sends a request. */
  public Duration sendTime = Duration.ZERO;

  /** Whether requests fail at once, without an effect. */
  public boolean disconnected;

  /** Whether requests are executed, and never answered. */
  public boolean losesAnswers;

  public RemoteStore(Store store, ManualScheduler scheduler) {
    this.store = store;
    this.scheduler = scheduler;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    if (disconnected) {
      return Answer.failed(new StoreFailure(Effect.NONE, "disconnected", null));
    }
    if (!sendTime.isZero()) {
      scheduler.advance(sendTime);
    }
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    scheduler.schedule(
        roundTrip.toNanos() / 2,
        () -> {
          received.add(
              operation.name().toLowerCase(Locale.ROOT)
                  + " "
                  + claims.stream().mapToLong(Claim::cost).sum());
          Decision decision = store.apply(operation, claims).join();
          if (!losesAnswers) {
            scheduler.schedule(roundTrip.toNanos() / 2, () -> answer.complete(decision));
          }
        });
    return Answer.later(answer);
  }
}

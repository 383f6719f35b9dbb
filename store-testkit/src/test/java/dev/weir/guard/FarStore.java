package dev.weir.guard;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** A store at the end of a line that a test makes slow, cuts, or loses answers on. */
public final class FarStore extends UniformStore {
  private final Store store;
  private final ManualTimers timers;

  /** What was asked, as far as it arrived. */
  public final List<String> asked = new ArrayList<>();

  public Duration trip = Duration.ofMillis(1);

  /** Whoever asks is busy with it for so long. */
  public Duration sending = Duration.ZERO;

  public boolean cut;
  public boolean losesAnswers;

  public FarStore(Store store, ManualTimers timers) {
    this.store = store;
    this.timers = timers;
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    if (cut) {
      return Answer.failed(new StoreFailure(Effect.NONE, "cut", null));
    }
    if (!sending.isZero()) {
      timers.advance(sending);
    }
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    timers.after(
        trip.toNanos() / 2,
        () -> {
          asked.add(
              operation.name().toLowerCase(Locale.ROOT)
                  + " "
                  + claims.stream().mapToLong(Claim::cost).sum());
          Decision decision = operation.on(store, claims).join();
          if (!losesAnswers) {
            timers.after(trip.toNanos() / 2, () -> answer.complete(decision));
          }
        });
    return Answer.later(answer);
  }
}

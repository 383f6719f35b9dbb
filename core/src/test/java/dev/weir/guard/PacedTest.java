package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PacedTest {
  private final Paced paced = new Paced(2);
  private final List<CompletableFuture<Void>> begun = new ArrayList<>();

  private CompletableFuture<Void> begin() {
    CompletableFuture<Void> one = new CompletableFuture<>();
    begun.add(one);
    return one;
  }

  @Test
  void soManyAtATimeAndTheOthersInTurn() {
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      done.add(paced.add(this::begin));
    }
    assertThat(begun).hasSize(2);
    begun.get(1).complete(null);
    assertThat(begun).hasSize(3);
    assertThat(done.get(0)).isNotDone();
    assertThat(done.get(1)).isDone();
    begun.get(0).completeExceptionally(new IllegalStateException("failed"));
    assertThat(done.get(0)).as("done with, one way or the other").isCompleted();
    assertThat(begun).hasSize(4);
  }

  @Test
  void oneThatThrowsHoldsNobodyUp() {
    for (int i = 0; i < 10; i++) {
      CompletableFuture<Void> done =
          paced.add(
              () -> {
                throw new IllegalStateException("thrown");
              });
      assertThat(done).isDone();
    }
    var unused = paced.add(this::begin);
    assertThat(begun).hasSize(1);
  }

  @Test
  void manyThatAreDoneAtOnceDoNotPileUp() {
    CompletableFuture<Void> first = paced.add(this::begin);
    var unused = paced.add(this::begin);
    CompletableFuture<Void> last = first;
    for (int i = 0; i < 100_000; i++) {
      last = paced.add(() -> CompletableFuture.completedFuture(null));
    }
    assertThat(last).isNotDone();
    begun.get(0).complete(null);
    assertThat(last).isDone();
  }
}

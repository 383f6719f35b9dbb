package dev.weir.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AsyncBulkheadTest {
  private final AsyncBulkhead bulkhead = new AsyncBulkhead(2);
  private final List<CompletableFuture<Void>> started = new ArrayList<>();

  private CompletableFuture<Void> start() {
    CompletableFuture<Void> one = new CompletableFuture<>();
    started.add(one);
    return one;
  }

  @Test
  void runsAFixedNumberAtATimeAndTheOthersInOrder() {
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      done.add(bulkhead.submit(this::start));
    }
    assertThat(started).hasSize(2);
    started.get(1).complete(null);
    assertThat(started).hasSize(3);
    assertThat(done.get(0)).isNotDone();
    assertThat(done.get(1)).isDone();
    started.get(0).completeExceptionally(new IllegalStateException("failed"));
    assertThat(done.get(0)).as("completed although the task failed").isCompleted();
    assertThat(started).hasSize(4);
  }

  @Test
  void aTaskThatThrowsDoesNotBlockOthers() {
    for (int i = 0; i < 10; i++) {
      CompletableFuture<Void> done =
          bulkhead.submit(
              () -> {
                throw new IllegalStateException("thrown");
              });
      assertThat(done).isDone();
    }
    var unused = bulkhead.submit(this::start);
    assertThat(started).hasSize(1);
  }

  @Test
  void manyTasksThatCompleteAtOnceDoNotOverflowTheStack() {
    CompletableFuture<Void> first = bulkhead.submit(this::start);
    var unused = bulkhead.submit(this::start);
    CompletableFuture<Void> last = first;
    for (int i = 0; i < 100_000; i++) {
      last = bulkhead.submit(() -> CompletableFuture.completedFuture(null));
    }
    assertThat(last).isNotDone();
    started.get(0).complete(null);
    assertThat(last).isDone();
  }
}

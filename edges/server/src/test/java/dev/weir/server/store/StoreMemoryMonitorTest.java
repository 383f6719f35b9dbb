package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.shared.StoreMemory;
import dev.weir.shared.StoreMemory.Node;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a server reads the memory of its store. */
class StoreMemoryMonitorTest {
  private static final Node NODE = new Node("", 5, OptionalLong.of(10), 0);

  private final ManualScheduler scheduler = new ManualScheduler(new ManualTicker(0));
  private final List<CompletableFuture<List<Node>>> reads = new ArrayList<>();

  private final StoreMemory memory =
      () -> {
        CompletableFuture<List<Node>> read = new CompletableFuture<>();
        reads.add(read);
        return read;
      };

  private final StoreMemoryMonitor monitor = new StoreMemoryMonitor(memory, scheduler);

  @Test
  void memoryIsReadAtTheStartAndTenSecondsAfterEachAnswer() {
    monitor.start();
    assertThat(monitor.nodes()).isEmpty();
    reads.get(0).complete(List.of(NODE));
    assertThat(monitor.nodes()).containsExactly(NODE);
    scheduler.advance(StoreMemoryMonitor.INTERVAL.minusNanos(1));
    assertThat(reads).hasSize(1);
    scheduler.advance(StoreMemoryMonitor.INTERVAL);
    assertThat(reads).hasSize(2);
    assertThat(monitor.nodes()).as("until the next answer").containsExactly(NODE);
    scheduler.advance(StoreMemoryMonitor.INTERVAL.multipliedBy(10));
    assertThat(reads).as("one in flight").hasSize(2);
    reads.get(1).complete(List.of());
    assertThat(monitor.nodes()).as("of a store that does not answer").isEmpty();
    scheduler.advance(StoreMemoryMonitor.INTERVAL);
    assertThat(reads).hasSize(3);
  }

  @Test
  void readThatFailsIsFollowedByAnother() {
    monitor.start();
    reads.get(0).completeExceptionally(new IllegalStateException());
    assertThat(monitor.nodes()).isEmpty();
    scheduler.advance(StoreMemoryMonitor.INTERVAL);
    assertThat(reads).hasSize(2);
  }

  @Test
  void nothingIsReadAfterTheStop() {
    monitor.start();
    monitor.stop();
    reads.get(0).complete(List.of(NODE));
    scheduler.advance(StoreMemoryMonitor.INTERVAL.multipliedBy(2));
    assertThat(reads).hasSize(1);
  }
}

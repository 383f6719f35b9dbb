package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.guard.Fleet.Place;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class FleetSizeTest {
  private List<String> servers = List.of("a", "b", "c", "d");
  private String memory = "first";
  private boolean gone;
  private long nanos;
  private final Fleet fleet = new Fleet("c", new Listed(), new Standing());

  /** Time that passes when a test says so. */
  private final class Standing implements Timers {
    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void after(long later, Runnable work) {}
  }

  private final class Listed implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return gone
          ? CompletableFuture.failedStage(new IllegalStateException("gone"))
          : CompletableFuture.completedStage(new Roll(servers, memory));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  private boolean announce() {
    nanos += Fleet.PERIOD.toNanos();
    CompletableFuture<Boolean> forgot = fleet.announce().toCompletableFuture();
    return !forgot.isCompletedExceptionally() && forgot.join();
  }

  private void announce(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(announce()).isFalse();
    }
  }

  @Test
  void whoIsNewHearsAtOnceAndIsKnownToAllAfterAWhile() {
    assertThat(fleet.place()).isEqualTo(new Place(0, 1));
    announce(1);
    assertThat(fleet.place()).isEqualTo(new Place(2, 4));
    assertThat(fleet.isKnown()).isFalse();
    announce(3);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void whoAnnouncesItselfMoreOftenIsNotKnownSooner() {
    announce(1);
    for (int i = 0; i < 20; i++) {
      fleet.announce().toCompletableFuture().join();
    }
    assertThat(fleet.isKnown()).as("twenty times at once").isFalse();
    announce(3);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void whoIsGoneIsNoLongerCounted() {
    announce(4);
    servers = List.of("b", "c");
    announce(1);
    assertThat(fleet.place()).isEqualTo(new Place(1, 2));
  }

  @Test
  void aListThatBeginsAnewMakesNoPartLarger() {
    announce(4);
    memory = "second";
    servers = List.of("c");
    assertThat(announce()).as("it has forgotten").isTrue();
    assertThat(fleet.place()).as("the others will be back").isEqualTo(new Place(2, 4));
    assertThat(fleet.isKnown()).isFalse();
    servers = List.of("a", "b", "c", "d", "e");
    announce(1);
    assertThat(fleet.size()).as("more are believed at once").isEqualTo(5);
    servers = List.of("b", "c");
    announce(1);
    assertThat(fleet.size()).isEqualTo(5);
    announce(1);
    assertThat(fleet.size()).as("nobody else came").isEqualTo(2);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void whoWasNotHeardOfForLongIsNewAgain() {
    announce(4);
    gone = true;
    announce(4);
    assertThat(fleet.isKnown()).as("the others still count it").isTrue();
    announce(1);
    assertThat(fleet.isKnown()).isFalse();
    assertThat(fleet.size()).as("last heard").isEqualTo(4);
    gone = false;
    servers = List.of("c");
    announce(3);
    assertThat(fleet.size()).as("the others are late").isEqualTo(4);
    announce(1);
    assertThat(fleet.size()).isEqualTo(1);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void whoStoodStillIsNewAgainBeforeItHasAskedAnybody() {
    announce(4);
    nanos += Fleet.LASTING.toNanos();
    assertThat(fleet.isKnown()).as("others may have its part by now").isFalse();
    announce(3);
    assertThat(fleet.isKnown()).isFalse();
    announce(1);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void whoSharesWithNobodyIsKnownToAll() {
    assertThat(Fleet.alone().isKnown()).isTrue();
    assertThat(Fleet.alone().size()).isEqualTo(1);
  }
}

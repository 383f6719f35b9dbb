package dev.weir.shared.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Scheduler;
import dev.weir.shared.fleet.Fleet.Position;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The size of a fleet as one of its servers sees it. */
class FleetSizeTest {
  private List<String> servers = List.of("a", "b", "c", "d");
  private String epoch = "first";
  private boolean gone;
  private long nanos;
  private final Fleet fleet = new Fleet("c", new TestRoster(), new TestClock());

  /** A clock that the test advances; timers never fire. */
  private final class TestClock implements Scheduler {
    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void schedule(long later, Runnable work) {}
  }

  private final class TestRoster implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return gone
          ? CompletableFuture.failedStage(new IllegalStateException("gone"))
          : CompletableFuture.completedStage(new Roll(servers, epoch));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  private boolean announce() {
    nanos += Fleet.ANNOUNCE_INTERVAL.toNanos();
    CompletableFuture<Boolean> dataLost = fleet.announce().toCompletableFuture();
    return !dataLost.isCompletedExceptionally() && dataLost.join();
  }

  private void announce(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(announce()).isFalse();
    }
  }

  @Test
  void newServerSeesTheFleetAtOnceAndIsKnownAfterThreeSeconds() {
    assertThat(fleet.position()).isEqualTo(new Position(0, 1));
    announce(1);
    assertThat(fleet.position()).isEqualTo(new Position(2, 4));
    assertThat(fleet.isKnown()).isFalse();
    announce(3);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void frequentAnnouncementsDoNotMakeAServerKnownSooner() {
    announce(1);
    for (int i = 0; i < 20; i++) {
      fleet.announce().toCompletableFuture().join();
    }
    assertThat(fleet.isKnown()).as("twenty times at once").isFalse();
    announce(3);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void serverThatLeftIsNoLongerCounted() {
    announce(4);
    servers = List.of("b", "c");
    announce(1);
    assertThat(fleet.position()).isEqualTo(new Position(1, 2));
  }

  @Test
  void newRosterDoesNotShrinkTheFleetForThreeSeconds() {
    announce(4);
    epoch = "second";
    servers = List.of("c");
    assertThat(announce()).as("data lost").isTrue();
    assertThat(fleet.position()).as("the others will be back").isEqualTo(new Position(2, 4));
    assertThat(fleet.isKnown()).isFalse();
    servers = List.of("a", "b", "c", "d", "e");
    announce(1);
    assertThat(fleet.size()).as("growth is applied at once").isEqualTo(5);
    servers = List.of("b", "c");
    announce(1);
    assertThat(fleet.size()).isEqualTo(5);
    announce(1);
    assertThat(fleet.size()).as("no other server came back").isEqualTo(2);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void serverWithoutUpdatesForFiveSecondsIsNewAgain() {
    announce(4);
    gone = true;
    announce(4);
    assertThat(fleet.isKnown()).as("the others still count it").isTrue();
    announce(1);
    assertThat(fleet.isKnown()).isFalse();
    assertThat(fleet.size()).as("the last known size").isEqualTo(4);
    gone = false;
    servers = List.of("c");
    announce(3);
    assertThat(fleet.size()).as("the others are late").isEqualTo(4);
    announce(1);
    assertThat(fleet.size()).isEqualTo(1);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void serverThatWasPausedIsNewAgainAtOnce() {
    announce(4);
    nanos += Fleet.ENTRY_LIFETIME.toNanos();
    assertThat(fleet.isKnown()).as("others may have its part by now").isFalse();
    announce(3);
    assertThat(fleet.isKnown()).isFalse();
    announce(1);
    assertThat(fleet.isKnown()).isTrue();
  }

  @Test
  void fleetOfOneIsAlwaysKnown() {
    assertThat(Fleet.alone().isKnown()).isTrue();
    assertThat(Fleet.alone().size()).isEqualTo(1);
  }
}

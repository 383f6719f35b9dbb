package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.fleet.Roster;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Health probes, roster updates and settlement of a supervised store, on a manual clock. */
class StoreSupervisorTest {
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  private static final List<Claim> ONE = List.of(Claim.of(TEN, new LimitKey(3, 4)));

  private final StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore shared = new MemoryStore(1_000, ticker);
  private final RemoteStore remote = new RemoteStore(shared, scheduler);
  private final StoredRoster roster = new StoredRoster();
  private final Fleet fleet = new Fleet("a", roster, scheduler);
  private final LocalFallback fallback =
      new LocalFallback(new MemoryStore(1_000, ticker), fleet, ticker);
  private final List<String> events = new ArrayList<>();
  private final StoreSupervisor supervisor =
      new StoreSupervisor(
          remote, Shards.ONE, GuardSettings.DEFAULT, scheduler, fleet, fallback, new Recorder());

  /** A roster in the store, unless access to it is forbidden. */
  private final class StoredRoster implements Roster {
    private String epoch = "first";
    private boolean forbidden;
    private int announcements;

    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      if (remote.disconnected || forbidden) {
        String why = forbidden ? "NOPERM" : "disconnected";
        return CompletableFuture.failedStage(new StoreFailure(Effect.NONE, why, null));
      }
      announcements++;
      return CompletableFuture.completedStage(new Roll(List.of("a", "b"), epoch));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  private final class Recorder implements SharedStoreListener {
    @Override
    public void onAnswer(@Nullable Throwable failure) {}

    @Override
    public void onLost(String shard, Throwable failure) {
      events.add("lost: " + failure.getMessage());
    }

    @Override
    public void onRecovered() {
      events.add("recovered");
    }

    @Override
    public void onRosterRecovered() {
      events.add("roster recovered");
    }

    @Override
    public void onRosterLost(Throwable failure) {
      events.add("roster lost: " + failure.getMessage());
    }
  }

  StoreSupervisorTest() {
    supervisor.start();
  }

  private void advance(double seconds) {
    scheduler.advance(Duration.ofMillis((long) (seconds * 1_000)));
  }

  private long used() {
    return 10 - shared.peek(List.of(ONE.get(0).withCost(0))).remaining();
  }

  private void open() {
    remote.disconnected = true;
    for (int i = 0; i < 10; i++) {
      Answer unused = supervisor.guarded().take(ONE);
    }
    assertThat(supervisor.guarded().isCircuitClosed()).isFalse();
  }

  @Test
  void serverIsAnnouncedAtOnceAndEachSecond() {
    assertThat(roster.announcements).isEqualTo(1);
    advance(5.5);
    assertThat(roster.announcements).isEqualTo(6);
    assertThat(fleet.isKnown()).isTrue();
    assertThat(events).isEmpty();
    assertThat(supervisor.stop().toCompletableFuture()).isCompleted();
    advance(5);
    assertThat(roster.announcements).as("no more, once it is stopped").isEqualTo(6);
  }

  @Test
  void outageAndRecoveryAreReportedOnce() {
    open();
    advance(20);
    assertThat(events).containsExactly("lost: disconnected");
    assertThat(supervisor.isAnswering()).isFalse();
    remote.disconnected = false;
    advance(1.1);
    assertThat(events).containsExactly("lost: disconnected", "recovered");
    assertThat(supervisor.isAnswering()).isTrue();
    assertThat(supervisor.guarded().isCircuitClosed()).isTrue();
  }

  @Test
  void storeWithoutConnectionIsProbedFourTimesASecond() {
    open();
    advance(20.3);
    remote.disconnected = false;
    advance(0.199);
    assertThat(supervisor.guarded().isCircuitClosed()).isFalse();
    advance(0.011);
    assertThat(supervisor.guarded().isCircuitClosed()).isTrue();
  }

  @Test
  void storeThatDoesNotAnswerIsProbedOnceASecond() {
    remote.losesAnswers = true;
    for (int i = 0; i < 10; i++) {
      Answer unused = supervisor.guarded().take(ONE);
      advance(0.03);
    }
    assertThat(supervisor.guarded().isCircuitClosed()).isFalse();
    remote.received.clear();
    advance(10);
    assertThat(remote.received).hasSize(10);
  }

  @Test
  void outageIsReportedAfterThreeFailedProbes() {
    advance(0.5);
    for (int i = 0; i < 5; i++) {
      remote.disconnected = true;
      advance(2);
      remote.disconnected = false;
      advance(1);
    }
    assertThat(events).isEmpty();
    remote.disconnected = true;
    advance(3);
    assertThat(events).as("without any request").containsExactly("lost: disconnected");
    remote.disconnected = false;
    advance(1);
    assertThat(events).containsExactly("lost: disconnected", "recovered");
  }

  @Test
  void pendingChargesAreSettledBeforeTheBreakerCloses() {
    advance(0.1); // the probe of the start arrives
    open();
    for (int i = 0; i < 20; i++) {
      fallback.storeAfter(gone).take(ONE);
    }
    remote.disconnected = false;
    remote.received.clear();
    advance(1.1);
    assertThat(supervisor.guarded().isCircuitClosed()).isTrue();
    assertThat(remote.received).startsWith("charge 1", "charge 5");
    assertThat(used()).isEqualTo(5);
  }

  @Test
  void pendingChargeOfASingleFailureIsSettledWithinASecond() {
    fallback.storeAfter(gone).take(ONE);
    advance(1.1);
    assertThat(used()).isEqualTo(1);
  }

  @Test
  void earlierGrantsAreChargedAfterADataLossWhicheverAnnouncementDetectsIt() {
    for (boolean opened : new boolean[] {true, false}) {
      var unused = shared.reset(ONE);
      fallback.mirrorGrant(ONE.get(0).withCost(2));
      if (opened) {
        open();
      }
      fallback.storeAfter(gone).take(ONE);
      remote.disconnected = false;
      roster.epoch = "data lost, " + opened;
      if (opened) {
        var dataLost = fleet.announce(); // not by the supervisor
        assertThat(dataLost).isCompletedWithValue(true);
        roster.epoch = "data lost again";
      }
      advance(1.1);
      assertThat(used()).as("two granted by the store, one locally").isEqualTo(3);
      ticker.advance(Duration.ofHours(1));
    }
  }

  @Test
  void failingRosterIsReportedOnce() {
    roster.forbidden = true;
    advance(20);
    assertThat(events).containsExactly("roster lost: NOPERM");
    assertThat(supervisor.rosterProblem()).isEqualTo("NOPERM");
    assertThat(fleet.isKnown()).isFalse();
    fallback.storeAfter(gone).take(ONE);
    advance(1.1);
    assertThat(used()).as("pending charges are settled all the same").isEqualTo(1);
    roster.forbidden = false;
    advance(1.1);
    assertThat(supervisor.rosterProblem()).isNull();
    assertThat(events).containsExactly("roster lost: NOPERM", "roster recovered");
  }
}

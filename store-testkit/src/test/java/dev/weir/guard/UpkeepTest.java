package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpkeepTest {
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  private static final List<Claim> ONE = List.of(Claim.of(TEN, new LimitKey(3, 4)));

  private final StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore shared = new MemoryStore(1_000, ticker);
  private final FarStore far = new FarStore(shared, timers);
  private final Listed roster = new Listed();
  private final Fleet fleet = new Fleet("a", roster, timers);
  private final Standby standby = new Standby(new MemoryStore(1_000, ticker), fleet, ticker);
  private final List<String> events = new ArrayList<>();
  private final Upkeep upkeep =
      new Upkeep(far, Places.ONE, GuardSettings.DEFAULT, timers, fleet, standby, new Noting());

  /** A list that is where the store is, unless it is kept from the list. */
  private final class Listed implements Roster {
    private String memory = "first";
    private boolean forbidden;
    private int announced;

    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      if (far.cut || forbidden) {
        String why = forbidden ? "NOPERM" : "cut";
        return CompletableFuture.failedStage(new StoreFailure(Effect.NONE, why, null));
      }
      announced++;
      return CompletableFuture.completedStage(new Roll(List.of("a", "b"), memory));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  private final class Noting implements Upkeep.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {}

    @Override
    public void lost(String place, Throwable failure) {
      events.add("lost: " + failure.getMessage());
    }

    @Override
    public void found() {
      events.add("found");
    }

    @Override
    public void listed() {
      events.add("listed");
    }

    @Override
    public void unlisted(Throwable failure) {
      events.add("unlisted: " + failure.getMessage());
    }
  }

  UpkeepTest() {
    upkeep.start();
  }

  private void pass(double seconds) {
    timers.advance(Duration.ofMillis((long) (seconds * 1_000)));
  }

  private long used() {
    return 10 - shared.look(List.of(ONE.get(0).costing(0))).remaining();
  }

  private void open() {
    far.cut = true;
    for (int i = 0; i < 10; i++) {
      Answer unused = upkeep.guarded().take(ONE);
    }
    assertThat(upkeep.guarded().isAsked()).isFalse();
  }

  @Test
  void tellsOfItselfAtOnceAndEachSecond() {
    assertThat(roster.announced).isEqualTo(1);
    pass(5.5);
    assertThat(roster.announced).isEqualTo(6);
    assertThat(fleet.isKnown()).isTrue();
    assertThat(events).isEmpty();
    assertThat(upkeep.stop().toCompletableFuture()).isCompleted();
    pass(5);
    assertThat(roster.announced).as("no more, once it is closed").isEqualTo(6);
  }

  @Test
  void anOutageIsToldOnceAndItsEndIs() {
    open();
    pass(20);
    assertThat(events).containsExactly("lost: cut");
    assertThat(upkeep.isAnswering()).isFalse();
    far.cut = false;
    pass(1.1);
    assertThat(events).containsExactly("lost: cut", "found");
    assertThat(upkeep.isAnswering()).isTrue();
    assertThat(upkeep.guarded().isAsked()).isTrue();
  }

  @Test
  void aStoreToWhichThereIsNoWayIsLookedForFourTimesASecond() {
    open();
    pass(20.3);
    far.cut = false;
    pass(0.199);
    assertThat(upkeep.guarded().isAsked()).isFalse();
    pass(0.011);
    assertThat(upkeep.guarded().isAsked()).isTrue();
  }

  @Test
  void aStoreThatIsAskedInVainIsLeftAloneForASecond() {
    far.losesAnswers = true;
    for (int i = 0; i < 10; i++) {
      Answer unused = upkeep.guarded().take(ONE);
      pass(0.03);
    }
    assertThat(upkeep.guarded().isAsked()).isFalse();
    far.asked.clear();
    pass(10);
    assertThat(far.asked).hasSize(10);
  }

  @Test
  void oneSignThatDoesNotComeIsNothingToTell() {
    pass(0.5);
    for (int i = 0; i < 5; i++) {
      far.cut = true;
      pass(2);
      far.cut = false;
      pass(1);
    }
    assertThat(events).isEmpty();
    far.cut = true;
    pass(3);
    assertThat(events).as("without any request").containsExactly("lost: cut");
    far.cut = false;
    pass(1);
    assertThat(events).containsExactly("lost: cut", "found");
  }

  @Test
  void whatIsOwedIsChargedBeforeTheStoreIsAskedAgain() {
    open();
    for (int i = 0; i < 20; i++) {
      standby.after(gone).take(ONE);
    }
    far.cut = false;
    far.asked.clear();
    pass(1.1);
    assertThat(upkeep.guarded().isAsked()).isTrue();
    assertThat(far.asked).startsWith("charge 1", "charge 5");
    assertThat(used()).isEqualTo(5);
  }

  @Test
  void whatASingleFailureLeftBehindIsChargedWithinASecond() {
    standby.after(gone).take(ONE);
    pass(1.1);
    assertThat(used()).isEqualTo(1);
  }

  @Test
  void aStoreThatForgotIsToldWhoeverHearsOfItFirst() {
    for (boolean opened : new boolean[] {true, false}) {
      var unused = shared.forget(ONE);
      standby.counted(ONE.get(0).costing(2));
      if (opened) {
        open();
      }
      standby.after(gone).take(ONE);
      far.cut = false;
      roster.memory = "forgot, " + opened;
      if (opened) {
        var heard = fleet.announce(); // not by way of what is done here
        assertThat(heard).isCompletedWithValue(true);
        roster.memory = "forgot again";
      }
      pass(1.1);
      assertThat(used()).as("three, of which it was told of one before").isEqualTo(3);
      ticker.advance(Duration.ofHours(1));
    }
  }

  @Test
  void aStoreThatKeepsNoListIsToldOfOnce() {
    roster.forbidden = true;
    pass(20);
    assertThat(events).containsExactly("unlisted: NOPERM");
    assertThat(upkeep.unlisted()).isEqualTo("NOPERM");
    assertThat(fleet.isKnown()).isFalse();
    standby.after(gone).take(ONE);
    pass(1.1);
    assertThat(used()).as("what is owed is paid all the same").isEqualTo(1);
    roster.forbidden = false;
    pass(1.1);
    assertThat(upkeep.unlisted()).isNull();
    assertThat(events).containsExactly("unlisted: NOPERM", "listed");
  }
}

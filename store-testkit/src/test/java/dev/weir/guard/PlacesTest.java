package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store of several places, of which some do not answer. */
class PlacesTest {
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  private static final int FAILURES = GuardSettings.DEFAULT.failuresInARow();

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore shared = new MemoryStore(1_000, ticker);
  private final Set<String> places = new TreeSet<>(Set.of("0", "1", "2"));
  private final Set<String> gone = new HashSet<>();
  private final List<String> events = new ArrayList<>();
  private final Fleet fleet = Fleet.alone();
  private final Standby standby = new Standby(new MemoryStore(1_000, ticker), fleet, ticker);
  private final Upkeep upkeep =
      new Upkeep(
          new Parted(),
          new ByUpperHalf(),
          GuardSettings.DEFAULT,
          timers,
          fleet,
          standby,
          new Noting());

  private static String place(LimitKey key) {
    return String.valueOf(key.high());
  }

  /** Fails where a place is gone, and says which. */
  private final class Parted extends UniformStore {
    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      for (Claim claim : claims) {
        String place = place(claim.key());
        if (gone.contains(place)) {
          return Answer.failed(new StoreFailure(Effect.NONE, place, place + " is gone", null));
        }
      }
      return operation.on(shared, claims);
    }
  }

  private final class ByUpperHalf implements Places {
    @Override
    public String of(LimitKey key) {
      return place(key);
    }

    @Override
    public Map<String, LimitKey> all() {
      Map<String, LimitKey> all = new HashMap<>();
      places.forEach(place -> all.put(place, new LimitKey(Long.parseLong(place), 0)));
      return all;
    }

    @Override
    public String name(String place) {
      return "number " + place;
    }
  }

  private final class Noting implements Upkeep.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {}

    @Override
    public void lost(String place, Throwable failure) {
      events.add("lost " + place);
    }

    @Override
    public void found() {
      events.add("found");
    }

    @Override
    public void unlisted(Throwable failure) {}

    @Override
    public void listed() {}
  }

  PlacesTest() {
    upkeep.start();
  }

  private static Claim at(int place, int number) {
    return Claim.of(TEN, new LimitKey(place, 100 + number));
  }

  private String ask(Claim... claims) {
    try {
      return upkeep.guarded().take(List.of(claims)).join().allowed() ? "allowed" : "denied";
    } catch (StoreFailure e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void lose(String place) {
    gone.add(place);
    for (int i = 0; i < FAILURES; i++) {
      assertThat(ask(at(Integer.parseInt(place), i))).isEqualTo(place + " is gone");
    }
    assertThat(upkeep.guarded().state()).isEqualTo("open");
  }

  private void pass(double seconds) {
    timers.advance(Duration.ofMillis((long) (seconds * 1_000)));
  }

  @Test
  void oneThatDoesNotAnswerIsNotAskedAndTheOthersAre() {
    lose("1");
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 10; i++) {
        assertThat(ask(at(0, 1_000 + 10 * second + i))).isEqualTo("allowed");
        assertThat(ask(at(1, i))).contains("not asked");
      }
      pass(1);
    }
    assertThat(events).as("told once").containsExactly("lost 1");
    assertThat(upkeep.silent()).containsExactly("1");
    gone.clear();
    pass(1.1);
    assertThat(events).containsExactly("lost 1", "found");
    assertThat(ask(at(1, 1))).isEqualTo("allowed");
    assertThat(upkeep.guarded().isAsked()).isTrue();
  }

  @Test
  void whoeverAsksForBothIsToldAtOnceAndNothingIsTaken() {
    lose("1");
    assertThat(ask(at(0, 1), at(1, 1))).contains("not asked");
    assertThat(ask(at(0, 1), at(2, 1))).isEqualTo("allowed");
    assertThat(shared.look(List.of(at(0, 1))).remaining()).isEqualTo(9);
  }

  @Test
  void whatSeveralPlacesAreAskedIsHeldAgainstTheOneThatFailed() {
    gone.add("2");
    for (int i = 0; i < FAILURES; i++) {
      assertThat(ask(at(0, i), at(2, i))).isEqualTo("2 is gone");
    }
    assertThat(ask(at(0, 0))).isEqualTo("allowed");
    assertThat(ask(at(2, 0))).contains("not asked");
    assertThat(events).containsExactly("lost 2");
  }

  @Test
  void debtsArePaidWhereTheStoreAnswers() {
    lose("1");
    StoreFailure failure = new StoreFailure(Effect.NONE, "gone", null);
    standby.after(failure).take(List.of(at(0, 1)));
    standby.after(failure).take(List.of(at(1, 1)));
    pass(3);
    assertThat(standby.settled()).isEqualTo(1);
    assertThat(standby.lost()).isZero();
    gone.clear();
    pass(1.1);
    assertThat(standby.settled()).isEqualTo(2);
    assertThat(shared.look(List.of(at(1, 1).costing(0))).remaining()).isEqualTo(9);
  }

  @Test
  void oneThatIsNoMoreNeedNotAnswer() {
    lose("1");
    places.remove("1"); // another one has its slots
    pass(1.1);
    assertThat(events).containsExactly("lost 1", "found");
    assertThat(upkeep.isAnswering()).isTrue();
    assertThat(upkeep.guarded().state()).isEqualTo("closed");
  }

  @Test
  void allMayBeGoneAndComeBackOneByOne() {
    lose("0");
    lose("1");
    gone.add("2");
    pass(3.1);
    assertThat(events).as("also without a request").containsExactly("lost 0", "lost 1", "lost 2");
    gone.removeAll(Set.of("0", "2"));
    pass(1.1);
    assertThat(upkeep.silent()).containsExactly("1");
    assertThat(upkeep.isAnswering()).isFalse();
    gone.clear();
    pass(1.1);
    assertThat(events).endsWith("lost 2", "found").hasSize(4);
  }
}

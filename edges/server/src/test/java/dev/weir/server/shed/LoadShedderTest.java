package dev.weir.server.shed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.gateway.SheddingSettings;
import dev.weir.rules.gateway.SheddingSettings.QueueDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are shed at which load and at which delay. */
class LoadShedderTest {
  private static final long MILLI = 1_000_000;
  private static final SheddingSettings HUNDRED = SheddingSettings.of(100);

  private final ShedCounters counters = new ShedCounters();

  private LoadShedder shedder(SheddingSettings settings) {
    return new LoadShedder(settings, counters, bound -> 0);
  }

  private static boolean admits(LoadShedder shedder, int priority, int inFlight) {
    return shedder.admit(priority, inFlight, 0).equals(Verdict.ADMITTED);
  }

  @Test
  void eachPriorityIsShedFromItsThresholdOnAndZeroNever() {
    int[] thresholds = {Integer.MAX_VALUE, 90, 80, 70};
    for (int priority = 0; priority <= 3; priority++) {
      for (int inFlight = 0; inFlight < 150; inFlight++) {
        LoadShedder shedder = shedder(HUNDRED);
        assertThat(admits(shedder, priority, inFlight))
            .as(priority + " at " + inFlight)
            .isEqualTo(inFlight < thresholds[priority]);
      }
    }
    assertThat(admits(shedder(HUNDRED), 0, Integer.MAX_VALUE)).isTrue();
  }

  @Test
  void shedPriorityIsAdmittedAgainOnlyBelowItsThresholdMinusFivePercent() {
    LoadShedder shedder = shedder(HUNDRED);
    assertThat(admits(shedder, 3, 69)).isTrue();
    assertThat(admits(shedder, 3, 70)).isFalse();
    assertThat(admits(shedder, 3, 69)).isFalse();
    assertThat(admits(shedder, 3, 65)).isFalse();
    assertThat(admits(shedder, 2, 69)).as("others have their own state").isTrue();
    assertThat(admits(shedder, 3, 64)).isTrue();
    assertThat(admits(shedder, 3, 69)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 10, 19, 20, 21, 1_000_000})
  void idleServiceAdmitsEverythingWhateverItsCapacity(int capacity) {
    LoadShedder shedder = shedder(SheddingSettings.of(capacity));
    for (int priority = 0; priority <= 3; priority++) {
      assertThat(admits(shedder, priority, 0)).isTrue();
      assertThat(admits(shedder, priority, Integer.MAX_VALUE)).isEqualTo(priority == 0);
      assertThat(admits(shedder, priority, capacity)).isEqualTo(priority == 0);
      assertThat(admits(shedder, priority, 0)).as("again").isTrue();
    }
  }

  @Test
  void longQueueDelayShedsFromTheLowestPriorityUpwards() {
    LoadShedder shedder = shedder(HUNDRED);
    List<List<Integer>> shed = new ArrayList<>();
    for (long now = 0; now <= 500 * MILLI; now += MILLI) {
      shedder.onQueueDelay(6 * MILLI, now);
      if (now % (100 * MILLI) == 50 * MILLI) {
        shed.add(shedAt(shedder, now));
      }
    }
    assertThat(shed)
        .containsExactly(List.of(), List.of(3), List.of(2, 3), List.of(1, 2, 3), List.of(1, 2, 3));
    assertThat(shedder.admit(3, 0, 500 * MILLI))
        .isEqualTo(new Verdict.Shed(Verdict.Reason.QUEUE_DELAY, 1));
    shed.clear();
    for (long now = 501 * MILLI; now <= 1_000 * MILLI; now += MILLI) {
      shedder.onQueueDelay(5 * MILLI, now);
      if (now % (100 * MILLI) == 50 * MILLI) {
        shed.add(shedAt(shedder, now));
      }
    }
    assertThat(shed)
        .containsExactly(List.of(1, 2, 3), List.of(2, 3), List.of(3), List.of(), List.of());
  }

  private static List<Integer> shedAt(LoadShedder shedder, long now) {
    List<Integer> shed = new ArrayList<>();
    for (int priority = 0; priority <= 3; priority++) {
      if (shedder.admit(priority, 0, now) instanceof Verdict.Shed) {
        shed.add(priority);
      }
    }
    return shed;
  }

  @Test
  void queueThatIsSometimesShortShedsNothing() {
    LoadShedder shedder = shedder(HUNDRED);
    for (long now = 0; now < 10_000 * MILLI; now += MILLI) {
      shedder.onQueueDelay(now % (90 * MILLI) == 0 ? 0 : 400 * MILLI, now);
      assertThat(shedAt(shedder, now)).isEmpty();
    }
  }

  @Test
  void silenceAfterLongDelaysLiftsTheSheddingStepByStep() {
    LoadShedder shedder = shedder(HUNDRED);
    long start = Long.MAX_VALUE - 100 * MILLI; // the monotonic clock may wrap around
    for (long now = 0; now <= 350 * MILLI; now += MILLI) {
      shedder.onQueueDelay(Long.MAX_VALUE, start + now);
    }
    assertThat(shedAt(shedder, start + 351 * MILLI)).containsExactly(1, 2, 3);
    assertThat(shedAt(shedder, start + 501 * MILLI)).containsExactly(2, 3);
    assertThat(shedAt(shedder, start + 702 * MILLI)).containsExactly(3);
    assertThat(shedAt(shedder, start + 903 * MILLI)).isEmpty();
  }

  @Test
  void delayIsIgnoredWhereTheSettingsSaySo() {
    LoadShedder shedder =
        shedder(
            new SheddingSettings(
                100, List.of(), SheddingSettings.THRESHOLDS, Optional.<QueueDelay>empty()));
    for (long now = 0; now < 1_000 * MILLI; now += MILLI) {
      shedder.onQueueDelay(Duration.ofHours(1).toNanos(), now);
    }
    assertThat(shedAt(shedder, 1_000 * MILLI)).isEmpty();
  }

  @Test
  void retryAfterIsSpreadByPriority() {
    Random random = new Random(1);
    LoadShedder shedder = new LoadShedder(HUNDRED, counters, random::nextInt);
    for (int priority = 1; priority <= 3; priority++) {
      Set<Integer> seconds = new HashSet<>();
      for (int i = 0; i < 1_000; i++) {
        Verdict.Shed shed = (Verdict.Shed) shedder.admit(priority, 100, 0);
        assertThat(shed.reason()).isEqualTo(Verdict.Reason.CAPACITY);
        seconds.add(shed.retryAfterSeconds());
      }
      List<Integer> expected = new ArrayList<>();
      for (int i = 1; i <= 1 + 2 * priority; i++) {
        expected.add(i);
      }
      assertThat(seconds).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void utilisationAndCountsAreValues() {
    LoadShedder shedder = shedder(SheddingSettings.of(200));
    assertThat(shedder.utilisationPercent()).isZero();
    shedder.admit(0, 50, 0);
    assertThat(shedder.utilisationPercent()).isEqualTo(25);
    shedder.admit(2, 300, 0);
    shedder.admit(2, 0, 0);
    assertThat(counters.admitted(0)).isEqualTo(1);
    assertThat(counters.admitted(2)).isEqualTo(1);
    assertThat(counters.shed(2, Verdict.Reason.CAPACITY)).isEqualTo(1);
    assertThat(counters.shed(2, Verdict.Reason.QUEUE_DELAY)).isZero();
    shedder.admit(1, Integer.MAX_VALUE, 0);
    assertThat(shedder.utilisationPercent()).isEqualTo(1_073_741_823);
    shedder.admit(1, -5, 0);
    assertThat(shedder.utilisationPercent()).isZero();
  }

  @Test
  void unknownPriorityIsRefused() {
    LoadShedder shedder = shedder(HUNDRED);
    assertThatThrownBy(() -> shedder.admit(4, 0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> shedder.admit(-1, 0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void threadsCountEveryVerdictOnce() throws Exception {
    LoadShedder shedder = shedder(HUNDRED);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int seed = t;
      Thread thread =
          new Thread(
              () -> {
                Random random = new Random(seed);
                for (int i = 0; i < 50_000; i++) {
                  long now = i * MILLI / 10;
                  shedder.onQueueDelay(random.nextInt(12) * MILLI, now);
                  shedder.admit(i % 4, random.nextInt(120), now);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int priority = 0; priority <= 3; priority++) {
      long all = counters.admitted(priority);
      for (Verdict.Reason reason : Verdict.Reason.values()) {
        all += counters.shed(priority, reason);
      }
      assertThat(all).isEqualTo(50_000);
    }
    assertThat(counters.admitted(0)).isEqualTo(50_000);
  }
}

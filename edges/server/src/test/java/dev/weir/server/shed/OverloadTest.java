package dev.weir.server.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.gateway.SheddingSettings;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A service that fails every request beyond its capacity, at a multiple of that capacity, on manual
 * time: important requests succeed, the others give way in order.
 */
class OverloadTest {
  private static final int CAPACITY = 200;
  private static final double SERVICE_SECONDS = 0.05;
  private static final double[] MIX = {0.1, 0.3, 0.3, 0.3};

  private final ShedCounters counters = new ShedCounters();
  private final LoadShedder shedder =
      new LoadShedder(SheddingSettings.of(CAPACITY), counters, bound -> 0);
  private final PriorityQueue<Double> ends = new PriorityQueue<>();

  private double now;
  private final long[] offered = new long[4];
  private final long[] served = new long[4];
  private final long[] switches = new long[4];
  private final boolean[] shedding = new boolean[4];
  private final double[] firstShed = new double[4];
  private Random random = new Random();

  /** Offers load that changes evenly from one multiple of the capacity to another. */
  private void offer(double from, double to, double seconds) {
    Arrays.fill(offered, 0);
    Arrays.fill(served, 0);
    Arrays.fill(switches, 0);
    double start = now;
    while (now < start + seconds) {
      double times = from + (to - from) * (now - start) / seconds;
      now += exponential(SERVICE_SECONDS / CAPACITY / times);
      while (!ends.isEmpty() && ends.peek() <= now) {
        ends.remove();
      }
      arrive(priority());
    }
  }

  private double exponential(double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  private int priority() {
    double lot = random.nextDouble();
    int priority = 0;
    while (priority < 3 && lot >= MIX[priority]) {
      lot -= MIX[priority++];
    }
    return priority;
  }

  private void arrive(int priority) {
    offered[priority]++;
    long nanos = (long) (now * 1e9);
    boolean shed = shedder.admit(priority, ends.size(), nanos) instanceof Verdict.Shed;
    if (shed != shedding[priority]) {
      shedding[priority] = shed;
      switches[priority]++;
    }
    if (shed && firstShed[priority] == 0) {
      firstShed[priority] = now;
    }
    if (!shed && ends.size() < CAPACITY) {
      served[priority]++;
      ends.add(now + exponential(SERVICE_SECONDS));
    }
  }

  private double success(int priority) {
    return served[priority] / (double) offered[priority];
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void importantRequestsSucceedAtThreeTimesTheCapacity(long seed) {
    random = new Random(seed);
    offer(3, 3, 60);
    String shown =
        Arrays.toString(new double[] {success(0), success(1), success(2), success(3)})
            + " switches "
            + Arrays.toString(switches);
    assertThat(offered[0]).isGreaterThan(60_000);
    assertThat(success(0)).as(shown).isGreaterThanOrEqualTo(0.999);
    assertThat(success(1)).as(shown).isBetween(0.5, 0.75);
    assertThat(success(2)).as(shown).isLessThan(0.05);
    assertThat(success(3)).as(shown).isLessThan(0.01);
    assertThat(success(2)).as(shown).isGreaterThanOrEqualTo(success(3));
    assertThat(switches[3]).as(shown).isLessThan(60);
    assertThat(switches[1]).as(shown).isLessThan(offered[1] / 20);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void prioritiesGiveWayInOrderAndComeBackInOrder(long seed) {
    random = new Random(seed);
    offer(0.4, 3, 60);
    assertThat(firstShed[0]).isZero();
    assertThat(firstShed[3]).isPositive().isLessThan(firstShed[2]);
    assertThat(firstShed[2]).isLessThan(firstShed[1]);
    offer(3, 0.4, 60);
    assertThat(success(0)).isGreaterThanOrEqualTo(0.999);
    assertThat(success(1)).isGreaterThan(success(2));
    assertThat(success(2)).isGreaterThan(success(3));
    offer(0.4, 0.4, 10);
    for (int priority = 0; priority <= 3; priority++) {
      assertThat(success(priority)).as("priority " + priority).isEqualTo(1);
      assertThat(shedding[priority]).isFalse();
    }
  }
}

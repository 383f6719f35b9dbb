package dev.weir.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tables count what plain maps count. */
class TablesTest {
  private static final long SECOND = 1_000_000;

  @Test
  void histogramHasTheSamePercentilesAndLimitsAsTheSortedNumbers() throws Exception {
    Seeds.run(
        random -> {
          for (int round = 0; round < 50; round++) {
            CountHistogram histogram = new CountHistogram();
            List<Long> numbers = new ArrayList<>();
            int size = 1 + random.nextInt(400);
            for (int i = 0; i < size; i++) {
              long number = random.nextInt(10) == 0 ? random.nextInt(300_000) : random.nextInt(40);
              numbers.add(number);
              histogram.add(number);
            }
            Collections.sort(numbers);
            for (int perMille : new int[] {1, 500, 950, 990, 1000}) {
              int index = Math.max(0, (size * perMille + 999) / 1000 - 1);
              assertThat(histogram.percentile(perMille)).isEqualTo(numbers.get(index));
            }
            for (int perMille : new int[] {1, 10, 300}) {
              long limit = histogram.limitDenying(perMille);
              assertThat(above(numbers, limit) * 1000).isLessThanOrEqualTo(sum(numbers) * perMille);
              if (limit > 0) {
                assertThat(above(numbers, limit - 1) * 1000)
                    .isGreaterThan(sum(numbers) * perMille - 1000);
              }
            }
          }
        });
  }

  private static long above(List<Long> numbers, long limit) {
    return numbers.stream().mapToLong(number -> Math.max(0, number - limit)).sum();
  }

  private static long sum(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void windowsAreCountedLikeInAMap() throws Exception {
    Seeds.run(
        random -> {
          WindowCounts counts =
              new WindowCounts(Limit.fixedWindow(1, Duration.ofSeconds(2)), 1_000_000);
          Map<String, Long> expected = new HashMap<>();
          long micros = 1_800_000_000 * SECOND;
          long[] keys = random.longs(3_000).toArray();
          for (int i = 0; i < 100_000; i++) {
            micros += random.nextInt(400);
            long key = keys[(int) (keys.length * Math.pow(random.nextDouble(), 2))];
            boolean unused = counts.add(key, 2, micros);
            expected.merge(key + "/" + micros / (2 * SECOND), 2L, Long::sum);
          }
          List<Long> sorted = new ArrayList<>(expected.values());
          Collections.sort(sorted);
          CountHistogram all = counts.finish();
          assertThat(all.size()).isEqualTo(sorted.size());
          assertThat(counts.peak()).isEqualTo(sorted.get(sorted.size() - 1));
          assertThat(all.percentile(1000)).isEqualTo(counts.peak());
          assertThat(all.percentile(500)).isEqualTo(sorted.get((sorted.size() + 1) / 2 - 1));
        });
  }

  @Test
  void windowsOfMoreCallersThanThereIsRoomForAreSampled() throws Exception {
    Seeds.run(
        random -> {
          WindowCounts counts = new WindowCounts(Limit.fixedWindow(1, Duration.ofDays(1)), 1_000);
          for (int i = 0; i < 50_000; i++) {
            boolean unused = counts.add(random.nextLong(), 1, SECOND);
          }
          assertThat(counts.sampledOneIn()).isGreaterThanOrEqualTo(32);
          assertThat(counts.finish().size() * counts.sampledOneIn()).isBetween(30_000L, 70_000L);
        });
  }

  @Test
  void callersAreCountedLikeInAMap() throws Exception {
    Seeds.run(
        random -> {
          CallerTable table = new CallerTable(2, 1_000_000);
          Map<Long, Integer> requests = new HashMap<>();
          Map<Long, Integer> denied = new HashMap<>();
          long[] hashes = random.longs(5_000).toArray();
          for (int i = 0; i < 60_000; i++) {
            long hash = hashes[random.nextInt(hashes.length)];
            table.addRequest(hash, i * 10_000L);
            requests.merge(hash, 1, Integer::sum);
            if (random.nextInt(50) == 0) {
              table.addDenied(hash, 1);
              denied.merge(hash, 1, Integer::sum);
            }
          }
          assertThat(table.size()).isEqualTo(requests.size());
          assertThat(table.usualRates()).hasSize(requests.size()).isSorted();
          Map<Long, Integer> seen = new HashMap<>();
          table.forEachDenied(
              1,
              caller -> {
                seen.put(caller.hash(), caller.denied(1));
                assertThat(caller.requests()).isEqualTo(requests.get(caller.hash()));
                assertThat(caller.denied(0)).isZero();
              });
          assertThat(seen).isEqualTo(denied);
        });
  }

  @Test
  void usualRateIsOverTheMinutesWithRequests() {
    CallerTable table = new CallerTable(1, 10);
    for (int i = 0; i < 30; i++) {
      table.addRequest(7, i * SECOND);
    }
    for (int i = 0; i < 10; i++) {
      table.addRequest(7, 600 * SECOND + i);
    }
    table.addDenied(7, 0);
    table.forEachDenied(
        0,
        caller -> {
          assertThat(caller.usualPerMinute()).isEqualTo(20);
          assertThat(caller.peakPerMinute()).isEqualTo(30);
        });
  }

  @Test
  void callersBeyondTheMaximumAreSampled() throws Exception {
    Seeds.run(
        random -> {
          CallerTable table = new CallerTable(1, 2_000);
          for (int i = 0; i < 100_000; i++) {
            table.addRequest(random.nextLong() | 1, SECOND);
          }
          assertThat(table.sampledOneIn()).isGreaterThanOrEqualTo(16);
          assertThat((long) table.size() * table.sampledOneIn()).isBetween(70_000L, 130_000L);
        });
  }

  @Test
  void bucketsOfTimeBecomeWiderWhereTheLogIsLonger() {
    TimeAxis axis = new TimeAxis();
    long[] counts = axis.newSeries();
    long start = 1_800_000_000L * SECOND;
    for (int i = 0; i < 5_000; i++) {
      counts[axis.bucket(start + i * SECOND)]++;
    }
    assertThat(axis.bucketMicros()).isEqualTo(16 * SECOND);
    assertThat(axis.startMicros()).isEqualTo(start);
    assertThat(axis.used(counts)).hasSize(313).startsWith(16L, 16L).endsWith(16L, 8L);
    assertThat(axis.used(counts).stream().mapToLong(Long::longValue).sum()).isEqualTo(5_000);
    assertThat(axis.bucket(start - SECOND)).as("before the first").isZero();
  }
}

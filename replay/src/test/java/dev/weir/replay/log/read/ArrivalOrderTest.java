package dev.weir.replay.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Requests of any durations within the horizon come exactly as a sort of the whole file has them.
 */
class ArrivalOrderTest {
  private static final ReadOptions OPTIONS =
      ReadOptions.defaults().withFormat(LogFormats.nginx("$msec $request_time $request_uri"));

  @Test
  void requestsComeAsSortedByArrivalAndLine() {
    Seeds.run(
        random -> {
          for (int round = 0; round < Effort.of(30, 500); round++) {
            check(random);
          }
        });
  }

  private static void check(SplittableRandom random) throws Exception {
    int longest = 1 + random.nextInt(60_000);
    int step = 1 << random.nextInt(16);
    long now = 1_000_000_000;
    StringBuilder text = new StringBuilder();
    List<Long> arrivals = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      now += random.nextInt(step);
      now += random.nextInt(500) == 0 ? random.nextInt(100_000_000) : 0;
      long took = random.nextInt(longest);
      arrivals.add(now - took);
      text.append(seconds(now))
          .append(' ')
          .append(seconds(took))
          .append(" /")
          .append(i)
          .append('\n');
    }
    Logs logs = Logs.read(OPTIONS, text.toString().getBytes(StandardCharsets.US_ASCII));
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < arrivals.size(); i++) {
      expected.add(i);
    }
    expected.sort(Comparator.comparing(arrivals::get));
    assertThat(logs.late).isZero();
    assertThat(logs.targets()).isEqualTo(expected.stream().map(i -> "/" + i).toList());
    assertThat(logs.entries).extracting(LogEntry::arrivalMicros).isSorted();
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%d.%03d", millis / 1_000, millis % 1_000);
  }
}

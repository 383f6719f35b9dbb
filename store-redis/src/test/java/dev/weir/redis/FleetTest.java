package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.Callers.Calls;
import dev.weir.redis.Callers.Task;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Four processes whose clocks disagree, with sixteen callers each, on one counter. */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class FleetTest {
  private static final long SECOND = 1_000_000;
  private static final List<Long> SKEWS = List.of(-5 * SECOND, -2 * SECOND, 3 * SECOND, 5 * SECOND);

  /** A clock that is so wrong that its calendar has nothing to do with the time of Redis. */
  private static final List<Long> DAYS = List.of(-5 * SECOND, 0L, 5 * SECOND, 3 * 86_400 * SECOND);

  private final RedisServer redis = RedisServer.start();
  private final List<Process> processes = new ArrayList<>();

  /**
   * What all processes together got.
   *
   * @param least how long somebody asked all the time after the bucket was empty, in seconds: who
   *     begins slowly leaves a bucket full that could have refilled
   * @param most how long anybody may have asked, by the time of Redis
   */
  private record Total(long made, long admitted, double least, double most) {}

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    redis.close();
  }

  @Test
  void aWindowAdmitsExactlyItsLimit() {
    Total total = run(Task.WINDOW, ZoneOffset.UTC, SKEWS);
    assertThat(total.admitted).isEqualTo(Callers.PERMITS);
  }

  @Test
  void aDayAdmitsExactlyItsLimit() {
    // Where it is about noon, so that no midnight comes between.
    int hour = Instant.now().atOffset(ZoneOffset.UTC).getHour();
    Total total = run(Task.DAY, ZoneOffset.ofHours(12 - hour), DAYS);
    assertThat(total.admitted).isEqualTo(Callers.PERMITS);
  }

  @Test
  void aBucketAdmitsWhatFlowsAndNoMore() {
    Total total = run(Task.BUCKET, ZoneOffset.UTC, SKEWS);
    double least = Callers.BURST + Callers.RATE * total.least;
    double most = Callers.BURST + Callers.RATE * total.most;
    assertThat((double) total.admitted).isBetween(0.99 * least, most);
    assertThat((double) total.made).as("more was asked for than there was").isGreaterThan(2 * most);
  }

  private Total run(Task task, ZoneId zone, List<Long> skews) {
    for (long skew : skews) {
      processes.add(start(task, zone, skew));
    }
    List<BufferedReader> said = processes.stream().map(FleetTest::reader).toList();
    said.forEach(each -> assertThat(line(each)).isEqualTo("ready"));
    long start = redisMicros();
    for (Process process : processes) {
      try {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    List<Calls> each = said.stream().map(reader -> Calls.parse(line(reader))).toList();
    double most = (redisMicros() - start) / 1e6;
    Calls all = each.stream().reduce(Calls::and).orElseThrow();
    double least = (all.lastNanos() - all.deniedNanos()) / 1e9;
    Total total = new Total(all.made(), all.admitted(), least, most);
    String admitted =
        each.stream().map(calls -> "" + calls.admitted()).collect(Collectors.joining(" + "));
    System.out.printf("%s: %s admitted, %s%n", task, admitted, total);
    return total;
  }

  private Process start(Task task, ZoneId zone, long skewMicros) {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dweir.thorough=" + Effort.isThorough(),
            "-cp",
            System.getProperty("java.class.path"),
            Callers.class.getName(),
            redis.url() + "?deadline=10s",
            task.name(),
            zone.getId(),
            Long.toString(skewMicros));
    try {
      return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static String line(BufferedReader reader) {
    try {
      String line = reader.readLine();
      assertThat(line).as("the process has ended").isNotNull();
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long redisMicros() {
    List<?> time = redis.list("TIME");
    return TimeUnit.SECONDS.toMicros(Long.parseLong(String.valueOf(time.get(0))))
        + Long.parseLong(String.valueOf(time.get(1)));
  }
}

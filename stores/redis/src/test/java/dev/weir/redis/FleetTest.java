package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.CallerProcess.Calls;
import dev.weir.redis.CallerProcess.Task;
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

  /** One clock is so wrong that its calendar windows do not include the time of Redis. */
  private static final List<Long> SKEWS_WITH_DAYS =
      List.of(-5 * SECOND, 0L, 5 * SECOND, 3 * 86_400 * SECOND);

  private final RedisServer redis = RedisServer.start();
  private final List<Process> processes = new ArrayList<>();

  /**
   * The totals of all processes.
   *
   * @param minSeconds the time in which callers were active after the bucket was first empty: while
   *     they start slowly, a full bucket does not refill
   * @param maxSeconds the time in which any caller may have been active, by the time of Redis
   */
  private record Total(long made, long admitted, double minSeconds, double maxSeconds) {}

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    redis.close();
  }

  @Test
  void windowAdmitsExactlyItsLimit() {
    Total total = run(Task.WINDOW, ZoneOffset.UTC, SKEWS);
    assertThat(total.admitted).isEqualTo(CallerProcess.PERMITS);
  }

  @Test
  void calendarDayAdmitsExactlyItsLimit() {
    // A zone in which it is about noon, so that midnight does not fall into the test.
    int hour = Instant.now().atOffset(ZoneOffset.UTC).getHour();
    Total total = run(Task.DAY, ZoneOffset.ofHours(12 - hour), SKEWS_WITH_DAYS);
    assertThat(total.admitted).isEqualTo(CallerProcess.PERMITS);
  }

  @Test
  void bucketAdmitsBurstAndRateAndNoMore() {
    Total total = run(Task.BUCKET, ZoneOffset.UTC, SKEWS);
    double min = CallerProcess.BURST + CallerProcess.RATE * total.minSeconds;
    double max = CallerProcess.BURST + CallerProcess.RATE * total.maxSeconds;
    assertThat((double) total.admitted).isBetween(0.99 * min, max);
    assertThat((double) total.made).as("demand exceeds supply").isGreaterThan(2 * max);
  }

  private Total run(Task task, ZoneId zone, List<Long> skews) {
    for (long skew : skews) {
      processes.add(start(task, zone, skew));
    }
    List<BufferedReader> outputs = processes.stream().map(FleetTest::reader).toList();
    outputs.forEach(each -> assertThat(line(each)).isEqualTo("ready"));
    long start = redisMicros();
    for (Process process : processes) {
      try {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    List<Calls> each = outputs.stream().map(reader -> Calls.parse(line(reader))).toList();
    double maxSeconds = (redisMicros() - start) / 1e6;
    Calls all = each.stream().reduce(Calls::and).orElseThrow();
    double minSeconds = (all.lastNanos() - all.deniedNanos()) / 1e9;
    Total total = new Total(all.made(), all.admitted(), minSeconds, maxSeconds);
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
            CallerProcess.class.getName(),
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

package dev.weir.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final List<Second> heard = new ArrayList<>();
  private final Recorder recorder = new Recorder(heard::add);

  @Test
  void statusDecidesTheOutcome() {
    assertThat(Outcome.ofStatus(204, false)).isEqualTo(Outcome.OK);
    assertThat(Outcome.ofStatus(302, false)).isEqualTo(Outcome.OK);
    assertThat(Outcome.ofStatus(429, true)).isEqualTo(Outcome.LIMITED);
    assertThat(Outcome.ofStatus(503, true)).isEqualTo(Outcome.SHED);
    assertThat(Outcome.ofStatus(503, false)).isEqualTo(Outcome.ERROR);
    assertThat(Outcome.ofStatus(404, true)).isEqualTo(Outcome.ERROR);
  }

  @Test
  void deniedRequestsAreNeitherAdmittedNorFailures() {
    for (Outcome outcome : Outcome.values()) {
      boolean denied = outcome == Outcome.LIMITED || outcome == Outcome.SHED;
      assertThat(outcome.isAdmitted()).as(outcome.label()).isNotEqualTo(denied);
      assertThat(outcome.isFailure()).isEqualTo(!denied && outcome != Outcome.OK);
    }
  }

  @Test
  void requestsCountInTheSecondTheyAreDueAndInTheOneTheyEnd() {
    recorder.onOffer(0, 0);
    recorder.onOffer(10, 10);
    recorder.onAnswer(200, false, 0, 5 * MILLI);
    recorder.onOutcome(Outcome.TIMEOUT, 10, 2 * SECOND + 10);
    LoadResult result = recorder.finish(SECOND, 2 * SECOND + 20);
    assertThat(result.seconds()).hasSize(3).isEqualTo(heard);
    Second first = result.seconds().get(0);
    assertThat(first.offered()).isEqualTo(2);
    assertThat(first.useful()).isEqualTo(1);
    assertThat(first.admitted().p99Micros()).isBetween(4_900L, 5_100L);
    assertThat(result.seconds().get(1).admitted().count()).isZero();
    assertThat(result.seconds().get(2).failed()).isEqualTo(1);
  }

  @Test
  void latenciesOf429AreKeptApart() {
    recorder.onOffer(0, 0);
    recorder.onAnswer(429, true, 0, 2 * MILLI);
    recorder.onOffer(0, 0);
    recorder.onAnswer(200, false, 0, 80 * MILLI);
    LoadResult result = recorder.finish(SECOND, SECOND);
    assertThat(result.limited().meanMicros()).isBetween(1_999L, 2_001L);
    assertThat(result.admitted().summary().count()).isEqualTo(1);
    assertThat(result.usefulPerSecond()).isEqualTo(1);
    assertThat(result.offeredPerSecond()).isEqualTo(2);
  }

  @Test
  void distributionIsWrittenInMilliseconds() {
    recorder.onAnswer(200, false, 0, 80 * MILLI);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    recorder.finish(SECOND, SECOND).admitted().writeTo(out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("Value", "Percentile", "TotalCount", "#[Mean    =       80.0");
  }
}

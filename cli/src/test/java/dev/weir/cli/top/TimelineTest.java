package dev.weir.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static Fields second(long length, Integer... newest) {
    return Fields.of(Map.of("second", length, "recent", Map.of("allowed", List.of(newest))));
  }

  private static Timeline after(Timeline before, long length, Integer... newest) {
    return before.after(second(length, newest));
  }

  private static Timeline empty() {
    return Timeline.of(Fields.of(Map.of()));
  }

  @Test
  void secondsBeforeTheStartAreUnknown() {
    Timeline timeline = after(empty(), 3, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6);
    assertThat(timeline.mean("allowed", 10)).isEqualTo(5);
    assertThat(timeline.mean("denied", 10)).isNaN();
    assertThat(Numbers.sparkline(timeline.columns("allowed", 450))).isEqualTo(" █");
    assertThat(timeline.outcomes()).containsExactly("allowed", "denied");
  }

  @Test
  void missedSecondsAreTakenFromTheNextEventAsFarAsItHasThem() {
    Timeline timeline = after(empty(), 100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    timeline = after(timeline, 109, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2);
    assertThat(timeline.mean("allowed", 10)).isEqualTo(2);
    assertThat(timeline.mean("allowed", 11)).isEqualTo((20 + 1) / 11.0);
    timeline = after(timeline, 130, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9);
    assertThat(timeline.mean("allowed", 10)).isEqualTo(9);
    assertThat(timeline.mean("allowed", 21)).as("eleven are not known").isEqualTo(9);
  }

  @Test
  void columnsKeepTheirHeightWhileTheyMove() {
    Timeline timeline = empty();
    for (int second = 1; second <= 1_000; second++) {
      timeline = after(timeline, second, second % 7);
    }
    List<Double> before = timeline.columns("allowed", 20);
    for (int second = 1_001; second <= 1_020; second++) {
      timeline = after(timeline, second, second % 7);
    }
    List<Double> after = timeline.columns("allowed", 20);
    assertThat(before).hasSize(45);
    assertThat(after.subList(1, 44)).isEqualTo(before.subList(2, 45));
  }

  @Test
  void eventIsInTheColumnOfItsSecond() {
    Timeline timeline = after(empty(), 1_000, 1);
    assertThat(timeline.column(0, 20)).isEqualTo(44);
    assertThat(timeline.column(19, 20)).isEqualTo(44);
    assertThat(timeline.column(20, 20)).isEqualTo(43);
    assertThat(timeline.column(5_000, 20)).isNegative();
    assertThat(timeline.column(-1, 20)).isNegative();
  }

  @Test
  void outcomesAreBounded() {
    Timeline timeline = empty();
    for (int i = 1; i <= 100; i++) {
      timeline =
          timeline.after(
              Fields.of(Map.of("second", i, "recent", Map.of("outcome-" + i, List.of(1)))));
    }
    assertThat(timeline.outcomes()).hasSizeLessThan(20);
  }

  @Test
  void numbersAreReadable() {
    assertThat(Numbers.sparkline(List.of(0.0, 1.0, 8.0, Double.NaN))).isEqualTo(".▁█ ");
    assertThat(Numbers.sparkline(List.of())).isEmpty();
    assertThat(Numbers.rate(0.04)).isEqualTo("<0.1");
    assertThat(Numbers.rate(1_234.4)).isEqualTo("1,234");
    assertThat(Numbers.rate(Double.NaN)).isEqualTo("-");
    assertThat(Numbers.latency(950)).isEqualTo("950 µs");
    assertThat(Numbers.latency(1_240)).isEqualTo("1.2 ms");
    assertThat(Numbers.latency(2_500_000)).isEqualTo("2.5 s");
    assertThat(Numbers.grouped(List.of(1.0, 2.0, 3.0, 4.0), 2)).containsExactly(3.0, 7.0);
  }
}

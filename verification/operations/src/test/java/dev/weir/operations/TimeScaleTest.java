package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What the tests with a real Prometheus change in the alerts. */
class TimeScaleTest {
  @Test
  void timesAreDividedAndNothingElseChanges() throws Exception {
    assertThat(
            new TimeScale(20)
                .scaled("expr: rate(a_1m{b=\"5m\"}[5m] offset 1h) > 10 or b[1d]\nfor: 10m # 15m"))
        .isEqualTo(
            "expr: rate(a_1m{b=\"5m\"}[15000ms] offset 180000ms) > 10 or b[4320000ms]\n"
                + "for: 30000ms # 15m");
    String rules = Files.readString(Alerts.RULES);
    String scaled = new TimeScale(20).scaled(rules);
    assertThat(scaled).isNotEqualTo(rules);
    assertThat(TimeScale.timeless(scaled)).isEqualTo(TimeScale.timeless(rules));
    assertThat(scaled.lines().filter(line -> line.matches(".*(for: |\\[|offset )\\d+[smhd]\\b.*")))
        .isEmpty();
  }
}

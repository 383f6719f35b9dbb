package dev.weir.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitsTest {
  @Test
  void latenciesHaveThreeDigitsOrSo() {
    assertThat(Units.latency(420)).isEqualTo("0.42 ms");
    assertThat(Units.latency(37_540)).isEqualTo("37.5 ms");
    assertThat(Units.latency(680_000)).isEqualTo("680 ms");
    assertThat(Units.latency(39_000_000)).isEqualTo("39.0 s");
  }

  @Test
  void smallSharesAreNotRoundedToNone() {
    assertThat(Units.percent(0, 10)).isEqualTo("0 %");
    assertThat(Units.percent(1, 1_000)).isEqualTo("0.10 %");
    assertThat(Units.percent(193, 1_000)).isEqualTo("19.3 %");
    assertThat(Units.percent(0, 0)).isEqualTo("0 %");
    assertThat(Units.count(12_000)).isEqualTo("12,000");
  }
}

package dev.weir.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PercentTest {
  @Test
  void aFormattedPercentageParsesToTheSameValue() {
    for (int hundredths = 0; hundredths <= Rule.WHOLE; hundredths++) {
      assertThat(Percent.parse(Percent.of(hundredths))).hasValue(hundredths);
    }
    assertThat(List.of(10_000, 2_500, 1_250, 50, 1, 0).stream().map(Percent::of))
        .containsExactly("100%", "25%", "12.5%", "0.5%", "0.01%", "0%");
  }

  @Test
  void malformedPercentagesAreNotParsed() {
    assertThat(Percent.parse("12.50 %")).hasValue(1_250);
    assertThat(Percent.parse("999.99%")).hasValue(99_999);
    for (String text :
        List.of("", "%", "5", "0.05", "-1%", "+1%", "5.%", ".5%", "5.125%", "1000%", "5%%", "٥%")) {
      assertThat(Percent.parse(text)).as(text).isEmpty();
    }
  }
}

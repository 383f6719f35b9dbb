package dev.weir.cli.surge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SurgeChecksTest {
  private static List<String> shortLines(SurgeRun bare, SurgeRun limited) {
    return SurgeChecks.of(Results.comparison(bare, limited)).stream()
        .filter(check -> !check.holds())
        .map(check -> check.claim() + ": " + check.measured())
        .toList();
  }

  @Test
  void allLinesHoldForACollapseAndAProtectedService() {
    assertThat(shortLines(Results.collapsed(), Results.protectedRun())).isEmpty();
    assertThat(SurgeChecks.of(Results.good())).hasSize(6);
  }

  @Test
  void serviceThatDoesNotCollapseFallsShort() {
    SurgeRun healthy = new Results().answered(800, 200, 40).run();
    assertThat(shortLines(healthy, Results.protectedRun()))
        .containsExactly(
            "bare: useful requests fall below half of the capacity: 800 of 800 per second",
            "bare: p99 is above 10 s, or over 15 % of requests fail: 40.0 ms, 0 %",
            "behind Weir: p99 of admitted requests is at least 30 times lower: 40.0 ms and 60.0 ms");
  }

  @Test
  void slowAnswersAloneAreACollapseToo() {
    SurgeRun slow = new Results().answered(300, 200, 10_500).run();
    assertThat(shortLines(slow, Results.protectedRun())).isEmpty();
  }

  @Test
  void tooFewUsefulRequestsFallShort() {
    SurgeRun few = new Results().answered(719, 200, 60).answered(11_281, 429, 1).run();
    assertThat(shortLines(Results.collapsed(), few))
        .containsExactly(
            "behind Weir: useful requests are at least 90 % of the capacity: 719 of 800 per second");
    SurgeRun enough = new Results().answered(720, 200, 60).answered(11_280, 429, 1).run();
    assertThat(shortLines(Results.collapsed(), enough)).isEmpty();
  }

  @Test
  void failuresOfAdmittedRequestsFallShortAndShedOnesDoNot() {
    SurgeRun failing =
        new Results().answered(760, 200, 60).answered(1, 502, 1).answered(9, 429, 1).run();
    assertThat(shortLines(Results.collapsed(), failing))
        .containsExactly("behind Weir: at most 0.1 % of admitted requests fail: 0.13 %");
    SurgeRun shedding =
        new Results().answered(760, 200, 60).answered(50, 503, 1).answered(9, 429, 1).run();
    assertThat(shortLines(Results.collapsed(), shedding)).isEmpty();
  }

  @Test
  void slow429FallShort() {
    SurgeRun slow = new Results().answered(760, 200, 60).answered(9_000, 429, 4).run();
    assertThat(shortLines(Results.collapsed(), slow))
        .containsExactly("behind Weir: a 429 takes at most 3 ms on average: 4.00 ms for 9,000");
    SurgeRun none = new Results().answered(760, 200, 60).run();
    assertThat(shortLines(Results.collapsed(), none)).as("nothing was limited").hasSize(1);
  }
}

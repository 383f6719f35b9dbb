package dev.weir.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void seedRunsOneSeed() {
    assertThat(Options.parse(List.of("--seed", "42", "--verbose")))
        .isEqualTo(new Options(42, 1, true));
  }

  @Test
  void seedsRunsConsecutiveSeedsFromTheFirst() {
    assertThat(Options.parse(List.of("--seeds", "100000", "--from", "7")))
        .isEqualTo(new Options(7, 100_000, false));
  }

  @Test
  void invalidOptionsAreRejectedWithTheExpectedForm() {
    rejects("--sed (expected: --seed S, or --seeds N", "--sed", "1");
    rejects("--seed: abc (expected: a whole number)", "--seed", "abc");
    rejects("--from: nothing (expected: a whole number)", "--from");
    rejects("--seeds: 0 (expected: at least 1)", "--seeds", "0");
    rejects("--verbose: 1000 seeds (expected: one, by --seed)", "--verbose");
  }

  private static void rejects(String message, String... args) {
    assertThatThrownBy(() -> Options.parse(List.of(args)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}

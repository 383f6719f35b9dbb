package dev.weir.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.testkit.Programs;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** The test kit's own helpers. */
class TestkitTest {

  @Test
  void aManualTickerMovesInBothDirections() {
    ManualTicker ticker = new ManualTicker(5);
    ticker.advance(Duration.ofMillis(1));
    ticker.advanceMicros(-7);
    assertThat(ticker.micros()).isEqualTo(998);
    ticker.advance(Duration.ofNanos(-1_000));
    assertThat(ticker.micros()).isEqualTo(997);
    ticker.set(Duration.ofDays(400_000));
    assertThat(ticker.micros()).isEqualTo(34_560_000_000_000_000L);
    ticker.setMicros(3);
    assertThat(ticker).hasToString("3 µs");
  }

  @Test
  void fractionsAreExactAndRoundDownOrUp() {
    Rational third = Rational.of(1, 3);
    assertThat(third.plus(third).plus(third)).isEqualTo(Rational.ONE);
    assertThat(third.minus(Rational.ONE)).isEqualTo(Rational.of(-2, 3)).hasToString("-2/3");
    assertThat(Rational.of(-2, 3).floor()).isEqualTo(-1);
    assertThat(Rational.of(-2, 3).ceil()).isZero();
    assertThat(Rational.of(7, 2).floor()).isEqualTo(3);
    assertThat(Rational.of(7, 2).ceil()).isEqualTo(4);
    assertThat(Rational.of(6, 2).ceil()).isEqualTo(3);
    assertThat(third).isLessThan(Rational.of(1_000_001, 3_000_000));
    assertThat(third.min(Rational.ZERO)).isEqualTo(Rational.ZERO);
    assertThat(third.max(Rational.ZERO)).isEqualTo(third);
  }

  @Test
  void aFailingRandomTestReportsItsSeed() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                Seeds.run(
                    random -> {
                      throw new AssertionError("differs");
                    }))
        .withMessageMatching("(?s)seed (-?\\d+); repeat with -Dweir.seed=\\1\ndiffers");
  }

  @Test
  void anAbortedRandomTestIsReportedAsAborted() {
    assertThatExceptionOfType(TestAbortedException.class)
        .isThrownBy(() -> Seeds.run(random -> Programs.require("no-such-program")))
        .withMessage("needs no-such-program");
  }

  @Test
  void programsAreFoundInTheDirectoriesOfThePathOnly(@TempDir Path first, @TempDir Path second)
      throws IOException {
    String path = first + File.pathSeparator + File.pathSeparator + second;
    Path program = Files.createFile(second.resolve("program"));
    assertThat(Programs.find("program", path)).isEmpty();
    assertThat(program.toFile().setExecutable(true)).isTrue();
    assertThat(Programs.find("program", path)).contains(program);
    assertThat(Programs.find("program", first.toString())).isEmpty();
    assertThat(Programs.find("program", null)).isEmpty();
  }
}

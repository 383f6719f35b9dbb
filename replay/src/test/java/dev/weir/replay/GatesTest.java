package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.result.ReplayResult;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Gates are judged by the worst spread. */
class GatesTest {
  private final ReplayResult result =
      TestLog.replay(
          "rules:\n  - {name: even, per: ip, limit: 4/second, burst: 2}\n",
          List.of(second(0), second(0), second(0), second(0)));

  private static TestEntry second(int number) {
    return TestEntry.at(TestLog.START + number * 1_000_000L, "GET", "/", "192.0.2.1").inSeconds();
  }

  @Test
  void exceededGatesAreNamedWithWhatWasFound() {
    assertThat(result.proposed().best().denied()).isZero();
    Gates gates = new Gates(OptionalDouble.of(0.005), OptionalLong.of(0));
    assertThat(gates.failures(result))
        .containsExactly(
            "--max-denied 0.5 %: 50 % of the requests would be denied",
            "--max-hurt 0: 1 caller would be hurt");
  }

  @Test
  void gatesHoldUpToTheirNumber() {
    assertThat(new Gates(OptionalDouble.of(0.5), OptionalLong.of(1)).failures(result)).isEmpty();
    assertThat(new Gates(OptionalDouble.empty(), OptionalLong.empty()).failures(result)).isEmpty();
  }
}

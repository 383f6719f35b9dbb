package dev.weir.shared.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.shared.fleet.FleetTable.Entry;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of an entry, and its time on a clock that is set back. */
class FleetTableEntryTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @ValueSource(strings = {"", "a\n", "ä", "\u0000", "\u007f", "a\tb", "\ud83d\ude00"})
  void invalidNameIsRejected(String name) {
    assertThatThrownBy(() -> new Entry(name, new byte[1], HOUR))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("name: \"[ -~]*\" \\(expected: 1 to 100 printable ASCII characters\\)");
  }

  @Test
  void longNameAndLargeValueAreRejected() {
    assertThatThrownBy(() -> new Entry("n".repeat(101), new byte[1], HOUR))
        .hasMessage("name: 101 characters (expected: 1 to 100 printable ASCII characters)");
    assertThatThrownBy(() -> new Entry("n", new byte[65_537], HOUR))
        .hasMessage("value: 65537 bytes (expected: at most 65536 bytes)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "P7DT0.001S", "PT2562047788015215H"})
  void lifetimeOutsideAMillisecondToSevenDaysIsRejected(Duration lasting) {
    assertThatThrownBy(() -> new Entry("n", new byte[1], lasting))
        .hasMessage("lasting: " + lasting + " (expected: 1 ms to 7 days)");
  }

  @Test
  void clockThatIsSetBackExtendsALifetimeToTheMaximumOnly() {
    ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
    FleetTable table = FleetTables.inProcess(ticker).table("t");
    table.put("a", new byte[1], HOUR).toCompletableFuture().join();
    ticker.setMicros(ticker.micros() - Duration.ofDays(30).toNanos() / 1_000);
    List<Entry> read = table.read("").toCompletableFuture().join().entries().orElseThrow();
    assertThat(read.get(0).lasting()).isEqualTo(FleetTable.MAX_LASTING);
  }
}

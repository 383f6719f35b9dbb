package dev.weir.server.callers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.limiter.Subject;
import dev.weir.rule.Rule;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.testkit.time.ManualTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class FleetCallersTest {
  private static final Limit LIMIT = Limit.fixedWindow(10, Duration.ofMinutes(1));

  private final ManualTicker ticker = new ManualTicker(0);
  private final FleetTable table = FleetTables.inProcess(ticker).table("callers");
  private final CallerStats ours = new CallerStats(2, false);
  private final CallerStats theirs = new CallerStats(2, false);
  private final FleetCallers here = new FleetCallers("here", ours, table);
  private final FleetCallers there = new FleetCallers("there", theirs, table);

  private record Caller(long caller) implements Subject {
    @Override
    public int usedPercent() {
      return 100;
    }

    @Override
    public List<Claim> claims() {
      return List.of();
    }

    @Override
    public List<String> identity() {
      return List.of();
    }
  }

  private static void deny(CallerStats stats, int times, String rule, long caller) {
    Rule one = Rule.named(rule).limit(LIMIT).build();
    for (int i = 0; i < times; i++) {
      stats.onOutcome(one, Outcome.DENIED, new Caller(caller));
    }
  }

  private void seconds(int number) {
    for (int second = 0; second < number; second++) {
      ticker.advance(Duration.ofSeconds(1));
      there.tick();
      here.tick();
    }
  }

  private static List<String> denied(FleetCallers view) {
    return new TopCallers(view)
        .of(view.rules(), Kind.DENIED, Window.MINUTE, 10).stream()
            .map(one -> one.rule() + " " + one.caller() + " " + one.count() + " ±" + one.error())
            .toList();
  }

  @Test
  void countsOfAllServersAreAddedUp() {
    deny(ours, 5, "login", 1);
    deny(theirs, 7, "login", 1);
    deny(theirs, 3, "search", 2);
    assertThat(denied(here)).containsExactly("login 1 5 ±0");
    seconds(4);
    assertThat(denied(here)).containsExactly("login 1 12 ±0", "search 2 3 ±0");
    assertThat(denied(there)).isEqualTo(denied(here));
    assertThat(here.servers()).isEqualTo(2);
  }

  @Test
  void callersThatOtherServersLeftOutAreStatedAsError() {
    deny(ours, 100, "login", 1);
    for (long caller = 2; caller < 40; caller++) {
      deny(theirs, 50, "login", caller);
    }
    seconds(4);
    assertThat(denied(here).get(0)).isEqualTo("login 1 150 ±50");
  }

  @Test
  void serverThatIsGoneIsForgotten() {
    deny(theirs, 7, "login", 1);
    seconds(4);
    assertThat(denied(here)).hasSize(1);
    for (int second = 0; second < 10; second++) {
      ticker.advance(Duration.ofSeconds(1));
      here.tick();
    }
    assertThat(denied(here)).isEmpty();
    assertThat(here.servers()).isEqualTo(1);
  }

  @Test
  void recordsAreBoundedWhateverTheNumberOfRules() {
    for (int rule = 0; rule < CallerStats.MAX_RULES; rule++) {
      for (long caller = 1; caller < 30; caller++) {
        deny(ours, 1, "rule-" + rule, Long.MIN_VALUE + caller);
      }
    }
    byte[] record = CallerRecord.encode(ours, FleetCallers.MAX_BYTES);
    assertThat(record.length)
        .isGreaterThan(FleetCallers.MAX_BYTES / 2)
        .isLessThanOrEqualTo(FleetCallers.MAX_BYTES);
    assertThat(CallerRecord.decode(record).rules()).isNotEmpty();
  }

  @Test
  void recordsThatNoServerWroteAreIgnored() {
    deny(theirs, 7, "login", 1);
    for (String bad :
        List.of(
            "",
            "nonsense",
            "[]",
            "{}",
            "{\"callers\":[1]}",
            "{\"callers\":[[\"r\",\"denied\",\"minute\",0,1,[\"xyz\",1,2]]]}",
            "{\"callers\":[[\"r\",\"what\",\"minute\",0,1,[]]]}",
            "{\"callers\":[[\"r\",\"denied\",\"minute\",\"x\",null,[]]]}")) {
      var unused =
          table.put(
              "bad" + bad.hashCode(), bad.getBytes(StandardCharsets.UTF_8), Duration.ofHours(1));
    }
    seconds(4);
    assertThat(denied(here)).containsExactly("login 1 7 ±0");
  }

  @Test
  void withoutTheStoreTheViewIsThatOfThisServer() {
    boolean[] down = {false};
    FleetTable failing =
        new FleetTable() {
          @Override
          public CompletionStage<Page> put(List<Entry> entries) {
            return down[0]
                ? CompletableFuture.failedStage(new IllegalStateException("gone"))
                : table.put(entries);
          }

          @Override
          public CompletionStage<Page> remove(List<String> names) {
            return CompletableFuture.completedStage(new Page("", Optional.empty()));
          }

          @Override
          public CompletionStage<Page> read(String knownVersion) {
            return table.read(knownVersion);
          }
        };
    FleetCallers view = new FleetCallers("view", ours, failing);
    deny(ours, 5, "login", 1);
    deny(theirs, 7, "login", 1);
    for (int second = 0; second < 4; second++) {
      there.tick();
      view.tick();
    }
    assertThat(denied(view)).containsExactly("login 1 12 ±0");
    down[0] = true;
    for (int second = 0; second < 6; second++) {
      view.tick();
    }
    assertThat(denied(view)).containsExactly("login 1 5 ±0");
  }
}

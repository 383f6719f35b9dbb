package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.server.LogLines;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When an outage is logged, and with which contents, by a manual clock. */
class StoreOutagesTest {
  private static final FailureModeCounts MODES = new FailureModeCounts(3, 2, 1);

  private final LogLines log = new LogLines(StoreLog.class);
  private final StoreLog storeLog = new StoreLog();
  private final ManualScheduler scheduler = new ManualScheduler(new ManualTicker(0));
  private StoreTally now = new StoreTally(0, new StoreTally.Degraded(0, 0, 0), 0, 0, 0, 0);
  private int pending;

  private final StoreOutages outages =
      new StoreOutages(
          storeLog,
          scheduler,
          StoreConfig.embedded(new MemoryStore()),
          () -> MODES,
          () -> now,
          new StoreOutages.Recovery() {
            @Override
            public int pending() {
              return pending;
            }

            @Override
            public boolean knowsMemory() {
              return true;
            }
          });

  @AfterEach
  void close() {
    log.close();
  }

  /** Sets the current tally: allowed requests, settled permits, announcements. */
  private void tally(long allowed, long settled, int announced) {
    StoreTally.Degraded degraded = new StoreTally.Degraded(allowed, 0, 0);
    now = new StoreTally(scheduler.nanos(), degraded, settled, 0, 0, announced);
  }

  private void fail(String cause) {
    outages.onAnswer(false);
    outages.onFailure("", failure(cause));
  }

  private static StoreFailure failure(String cause) {
    return new StoreFailure(Effect.NONE, cause, null);
  }

  private void pass(Duration time) {
    scheduler.advance(time);
    now = now.at(scheduler.nanos());
  }

  private List<String> lines() {
    storeLog.await(Duration.ofSeconds(20));
    return log.lines;
  }

  @Test
  void causeIsThatOfTheFirstProbeHalfASecondLater() {
    fail("not connected");
    outages.onLost("", failure("not connected"));
    pass(Duration.ofMillis(400));
    fail("not connected");
    assertThat(lines()).isEmpty();
    assertThat(outages.problems(Set.of("")))
        .singleElement()
        .asString()
        .startsWith("The store has not answered since ")
        .endsWith("Z: not connected");
    pass(Duration.ofMillis(100));
    fail("not connected: WRONGPASS");
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("WARNING The store has not answered since ")
        .endsWith(
            ": not connected: WRONGPASS; until it does, when-store-fails decides (rules that allow:"
                + " 3, deny: 2, count locally: 1)");
  }

  @Test
  void outageWithoutProbesIsLoggedAfterThreeSeconds() {
    outages.onLost("", failure("gone"));
    pass(Duration.ofMillis(2_900));
    assertThat(lines()).isEmpty();
    pass(Duration.ofMillis(100));
    assertThat(lines()).singleElement().asString().contains(": gone; ");
  }

  @Test
  void changingCauseIsLoggedEveryHalfMinute() {
    outages.onLost("", failure("cause 0"));
    for (int second = 1; second <= 100; second++) {
      pass(Duration.ofSeconds(1));
      fail("cause " + second);
      fail("cause " + second);
    }
    assertThat(lines()).hasSize(5);
    assertThat(lines().get(0)).contains(": cause 1; ");
    assertThat(lines().get(1)).contains(": cause 2; ");
    assertThat(lines().get(2)).contains(": cause 31; ");
  }

  @Test
  void oneLateAnswerIsNotANewCause() {
    outages.onLost("", failure("OOM"));
    pass(Duration.ofSeconds(1));
    fail("OOM");
    for (int second = 1; second <= 100; second++) {
      pass(Duration.ofSeconds(1));
      fail(second % 10 == 0 ? "late" : "OOM");
    }
    assertThat(lines()).singleElement().asString().contains(": OOM; ");
    assertThat(outages.problems(Set.of(""))).allMatch(line -> line.endsWith(": OOM"));
  }

  @Test
  void endIsLoggedOncePendingChargesAreSettled() {
    fail("gone");
    tally(0, 0, 4);
    outages.onLost("", failure("gone"));
    pass(Duration.ofSeconds(10));
    pending = 1;
    outages.onAnswer(true);
    outages.onRecovered();
    pass(Duration.ofSeconds(1));
    assertThat(lines()).hasSize(1);
    pending = 0;
    tally(7, 9, 5);
    pass(Duration.ofSeconds(1));
    assertThat(lines())
        .last()
        .isEqualTo(
            "INFO The store answers again after 10.0 s; decided without it: 7 requests (allowed: 7,"
                + " denied: 0, counted locally: 0); charged back: 9 permits; it kept its counters");
    assertThat(outages.problems(Set.of(""))).isEmpty();
  }

  @Test
  void oldFailureIsNotTheBeginning() {
    fail("late");
    pass(Duration.ofHours(1));
    outages.onLost("", failure("gone"));
    pass(Duration.ofSeconds(4));
    outages.onRecovered();
    outages.flush();
    assertThat(lines()).last().asString().contains(" answers again after 4.0 s; ");
  }

  @Test
  void endIsLoggedAfterFiveSecondsDespitePendingCharges() {
    outages.onLost("", failure("gone"));
    pending = 3;
    outages.onRecovered();
    pass(Duration.ofSeconds(6));
    assertThat(lines())
        .hasSize(2)
        .last()
        .asString()
        .contains(
            "charged back: 0 permits, of 3 keys not yet; whether it kept its counters is not");
  }

  @Test
  void consecutiveOutagesAreLoggedSeparately() {
    outages.onLost("", failure("one"));
    pending = 3;
    outages.onRecovered();
    outages.onLost("", failure("two"));
    outages.flush();
    assertThat(lines()).hasSize(3);
    assertThat(lines().get(1)).contains(" answers again ");
    assertThat(lines().get(2)).contains(": two; ");
  }
}

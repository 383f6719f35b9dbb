package dev.weir.server.action;

import static dev.weir.server.action.ActionFleet.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.StoreFailure;
import dev.weir.server.LogLines;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTable.Entry;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.testkit.time.ManualTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Actions while the store is down, loses data, is full, or has another clock. */
class ActionsWithoutStoreTest {
  private static final Duration PERIOD = Actions.POLL_INTERVAL;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ActionFleet fleet = new ActionFleet();
  private final Actions one = fleet.server();
  private final Actions two = fleet.server();

  private void advance(Duration time) {
    fleet.advance(time);
  }

  private void assertPermits(long ofOne, long ofTwo) {
    assertThat(List.of(fleet.permits(0), fleet.permits(1))).containsExactly(ofOne, ofTwo);
  }

  @Test
  void actionEndsOnTimeWhileTheStoreIsDownAndNewOnesAreRefused() {
    Action action = fleet.take(one, 2, MINUTE);
    advance(PERIOD);
    fleet.table.down = true;
    for (Runnable call :
        List.<Runnable>of(
            () -> fleet.take(one, 3, MINUTE),
            () -> fleet.done(two.undo(action.id(), ActionFleet.BOB)))) {
      assertThatThrownBy(call::run).hasCauseInstanceOf(StoreFailure.class);
    }
    assertPermits(20, 20);
    advance(MINUTE.minus(PERIOD).minusMillis(1));
    assertPermits(20, 20);
    advance(Duration.ofMillis(1));
    assertPermits(10, 10);
    fleet.table.down = false;
    advance(PERIOD);
    assertPermits(10, 10);
    fleet.take(two, 4, MINUTE);
    assertPermits(10, 40);
  }

  @Test
  void lostActionsArePutBackOnceAndEndOnTime() {
    Action action = fleet.take(one, 2, MINUTE);
    advance(PERIOD);
    fleet.table.puts = 0;
    fleet.table.loseData();
    advance(PERIOD);
    assertPermits(20, 20);
    assertThat(fleet.table.puts).as("by the server that is first").isEqualTo(1);
    Actions three = fleet.server();
    assertThat(ids(three)).containsExactly(action.id());
    advance(three.list().get(0).left().minusMillis(1));
    assertThat(ids(three)).containsExactly(action.id());
    advance(Duration.ofMillis(1));
    assertPermits(10, 10);
    advance(Duration.ofMinutes(2));
    assertThat(ids(three)).isEmpty();
  }

  @Test
  void lossDuringAnOutageIsRepairedAfterIt() {
    Action action = fleet.take(one, 2, MINUTE);
    fleet.table.down = true;
    fleet.table.loseData();
    advance(Duration.ofSeconds(5));
    fleet.table.down = false;
    advance(PERIOD);
    assertThat(ids(fleet.server())).containsExactly(action.id());
  }

  @Test
  void undoSurvivesALossThatAnotherServerRepairs() {
    Action action = fleet.take(one, 2, MINUTE);
    advance(PERIOD);
    // The second server has not heard that the action was undone when the store loses it.
    fleet.done(one.undo(action.id(), ActionFleet.BOB));
    fleet.table.loseData();
    advance(PERIOD.multipliedBy(4));
    assertThat(ids(one)).isEmpty();
    assertThat(ids(two)).isEmpty();
    assertThat(ids(fleet.server())).isEmpty();
    assertThat(fleet.permits(2)).isEqualTo(10);
  }

  @Test
  void actionAboutToEndIsNotPutBack() {
    fleet.take(one, 2, Duration.ofSeconds(3));
    advance(Duration.ofSeconds(2));
    fleet.table.puts = 0;
    fleet.table.loseData();
    advance(Duration.ofMillis(900));
    assertPermits(20, 20);
    assertThat(fleet.table.puts).isZero();
    advance(Duration.ofMillis(100));
    assertPermits(10, 10);
  }

  @Test
  void thousandActionsAreKeptAndUndoneOnesMakeRoom() {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < FleetTable.MAX_ENTRIES - 1; i++) {
      all.add(ActionBook.entry(fleet.multiply(2, MINUTE), MINUTE));
    }
    fleet.done(fleet.table.put(all));
    advance(PERIOD);
    Action last = fleet.take(one, 3, MINUTE);
    assertThat(one.list()).hasSize(FleetTable.MAX_ENTRIES);
    assertThat(fleet.done(one.take(fleet.multiply(4, MINUTE), MINUTE))).isEmpty();
    assertPermits(30, 20);
    fleet.done(two.undo(last.id(), ActionFleet.BOB));
    Action another = fleet.take(one, 5, MINUTE);
    advance(PERIOD.multipliedBy(2));
    assertPermits(50, 50);
    assertThat(ids(two)).contains(another.id()).doesNotContain(last.id());
  }

  @Test
  void entryThatIsNoActionIsIgnored() {
    try (LogLines lines = new LogLines(ActionLog.class)) {
      for (String value :
          List.of(
              "", "{}", "[]", "null", "{\"action\":\"multiply\"}", "\u0000", "{\"action\":1}")) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        fleet.done(fleet.table.put("garbage", bytes, MINUTE));
        advance(PERIOD);
      }
      Action action = fleet.take(two, 2, MINUTE);
      advance(PERIOD);
      assertPermits(20, 20);
      assertThat(ids(one)).containsExactly(action.id());
      assertThat(lines.lines.stream().filter(line -> line.contains("garbage")))
          .as("once for each server")
          .hasSize(2)
          .allMatch(
              line ->
                  line.equals("WARNING Action garbage in the store is ignored: it cannot be read"));
    }
  }

  /** The clock of the store decides; this process follows it with a full read each minute. */
  @Test
  void clockOfTheStoreThatRunsFasterIsFollowed() {
    ManualTicker fast = ManualTicker.at(Duration.ofDays(20_000));
    FleetTable shared = FleetTables.inProcess(fast).table("actions");
    Actions server = fleet.server(shared);
    advance(Duration.ZERO);
    fleet.done(server.take(fleet.multiply(2, Duration.ofHours(1)), Duration.ofHours(1)));
    for (int i = 0; i < 29; i++) {
      fast.advance(Duration.ofMinutes(2));
      advance(MINUTE);
    }
    // 58 minutes of the store have passed, and 29 here.
    assertThat(server.list().get(0).left()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(4));
    advance(Duration.ofMinutes(4));
    assertThat(server.list()).isEmpty();
  }

  /** The table may list an action for longer than it lasts here. */
  @Test
  void endedActionDoesNotComeBack() {
    ManualTicker slow = ManualTicker.at(Duration.ofDays(20_000));
    FleetTable shared = FleetTables.inProcess(slow).table("actions");
    try (LogLines lines = new LogLines(ActionLog.class)) {
      Actions server = fleet.server(shared);
      advance(Duration.ZERO);
      fleet.done(server.take(fleet.multiply(2, MINUTE), MINUTE));
      advance(MINUTE.multipliedBy(5));
      assertThat(server.list()).isEmpty();
      assertThat(lines.lines).as("begins and ends once").hasSize(2);
    }
  }

  @Test
  void tableThatCannotBeReadIsLoggedOnceAndAfterAWhile() {
    try (LogLines lines = new LogLines(ActionLog.class)) {
      fleet.table.down = true;
      advance(PERIOD.multipliedBy(2));
      assertThat(lines.lines).isEmpty();
      advance(PERIOD.multipliedBy(10));
      fleet.table.down = false;
      advance(PERIOD.multipliedBy(2));
      String failing =
          "WARNING Actions are not shared through the store: down; until they are, those in force end"
              + " on time, and new ones are refused";
      String again = "INFO Actions are shared through the store again";
      assertThat(lines.lines).containsExactlyInAnyOrder(failing, failing, again, again);
    }
  }

  @Test
  void actionsSurviveTheirWayThroughTheStore() {
    Action action = fleet.multiply(2, MINUTE).undoneBy(ActionFleet.BOB);
    assertThat(ActionCodec.decode(action.id(), ActionCodec.encode(action)))
        .isEqualTo(Optional.of(action));
  }
}

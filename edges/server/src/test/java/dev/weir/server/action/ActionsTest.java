package dev.weir.server.action;

import static dev.weir.server.action.ActionFleet.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rule.Multiple;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.server.LogLines;
import dev.weir.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Timelines of actions on a fleet. */
class ActionsTest {
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
  void actionIsInForceAtOnceHereAndAfterAPeriodElsewhere() {
    Action action = fleet.take(one, 2, MINUTE);
    assertPermits(20, 10);
    advance(PERIOD);
    assertPermits(20, 20);
    assertThat(ids(one)).containsExactly(action.id());
    assertThat(ids(two)).containsExactly(action.id());
    assertThat(two.list().get(0).left()).isEqualTo(MINUTE.minus(PERIOD));
    assertThat(two.list().get(0).action()).isEqualTo(action);
    assertThat(two.count(Kind.MULTIPLY)).isEqualTo(1);
    assertThat(two.count(Kind.SHADOW)).isZero();
  }

  @Test
  void actionEndsByItselfOnTimeEverywhere() {
    fleet.take(one, 2, MINUTE);
    advance(MINUTE.minusMillis(1));
    assertPermits(20, 20);
    advance(Duration.ofMillis(1));
    assertPermits(10, 10);
    assertThat(ids(one)).isEmpty();
    advance(Duration.ofDays(1));
    assertPermits(10, 10);
  }

  @Test
  void newerActionAppliesAndTheOlderOneAgainAfterIt() {
    Action older = fleet.take(one, 2, MINUTE);
    Action newer = fleet.take(two, 3, Duration.ofSeconds(10));
    advance(PERIOD);
    assertPermits(30, 30);
    assertThat(one.find(older.id()).orElseThrow().idle())
        .contains("superseded by the newer action " + newer.id());
    assertThat(one.find(newer.id()).orElseThrow().idle()).isEmpty();
    advance(Duration.ofSeconds(10));
    assertPermits(20, 20);
    assertThat(one.find(older.id()).orElseThrow().idle()).isEmpty();
  }

  @Test
  void actionOutlivesTheServerThatTookItAndReachesOnesThatStartLater() {
    fleet.take(one, 2, MINUTE);
    advance(PERIOD);
    one.close();
    advance(Duration.ofSeconds(20));
    Actions three = fleet.server();
    assertThat(fleet.permits(2)).isEqualTo(20);
    assertThat(three.list().get(0).left()).isEqualTo(two.list().get(0).left());
  }

  @Test
  void undoneActionIsGoneEverywhereAndCannotBeUndoneTwice() {
    Action action = fleet.take(one, 2, MINUTE);
    // The other server has not heard of it yet.
    Action undone = fleet.done(two.undo(action.id(), ActionFleet.BOB)).orElseThrow();
    assertThat(undone.undone()).contains(ActionFleet.BOB);
    assertPermits(20, 10);
    advance(PERIOD);
    assertPermits(10, 10);
    assertThat(ids(one)).isEmpty();
    assertThat(fleet.done(one.undo(action.id(), ActionFleet.BOB))).isEmpty();
    assertThat(fleet.done(one.undo("unknown", ActionFleet.BOB))).isEmpty();
  }

  @Test
  void endedActionCannotBeUndone() {
    Action action = fleet.take(one, 2, MINUTE);
    advance(MINUTE);
    assertThat(fleet.done(one.undo(action.id(), ActionFleet.BOB))).isEmpty();
  }

  @Test
  void reloadKeepsActions() {
    fleet.take(one, 2, MINUTE);
    assertThat(fleet.rules(0).current().adjustments().adjusting("login")).hasSize(1);
    assertThat(fleet.rules(0).current().unadjusted().adjustments().adjusting("login")).isEmpty();
  }

  @Test
  void objectionNamesWhatIsWrong() {
    fleet.take(one, 1_000, MINUTE);
    assertThat(fleet.done(one.objection(fleet.multiply(1_000_000_000_000L, MINUTE).adjustment())))
        .as("the limit of the file is multiplied, not the adjusted one")
        .isEmpty();
    Adjustment small =
        new Adjustment(
            "a",
            Kind.MULTIPLY,
            Optional.of("login"),
            Optional.of(new Multiple(1)),
            OptionalLong.empty());
    assertThat(fleet.done(one.objection(small)))
        .contains("permits: 0.000001x of 10 (expected: at least one permit)");
    Adjustment unknown =
        new Adjustment(
            "a", Kind.SHADOW, Optional.of("logn"), Optional.empty(), OptionalLong.empty());
    assertThat(fleet.done(one.objection(unknown))).contains("there is no rule of this name");
  }

  @Test
  void anyNumberOfActionsEndEachOnItsTime() {
    Seeds.run(
        random -> {
          ActionFleet many = new ActionFleet();
          Actions server = many.server();
          List<Duration> ends = new ArrayList<>();
          for (int i = 0; i < 30; i++) {
            Duration lasting = Duration.ofMillis(1_000 + random.nextInt(60_000));
            many.take(server, 2, lasting);
            ends.add(lasting);
          }
          for (int millis = 1_000; millis < 62_000; millis += 250) {
            many.advance(Duration.ofMillis(millis == 1_000 ? 1_000 : 250));
            Duration now = Duration.ofMillis(millis);
            long expected = ends.stream().filter(end -> end.compareTo(now) > 0).count();
            assertThat(server.list()).as(now.toString()).hasSize((int) expected);
          }
        });
  }

  @Test
  void beginAndEndAreLoggedOnEveryServer() {
    try (LogLines lines = new LogLines(ActionLog.class)) {
      Action first = fleet.take(one, 2, MINUTE);
      advance(PERIOD);
      fleet.done(two.undo(first.id(), ActionFleet.BOB));
      Action second = fleet.take(two, 3, MINUTE);
      advance(MINUTE.plus(PERIOD));
      String begins =
          "INFO Action %s is in force: multiply login by %dx until %s; by alice from 10.0.0.1: a test";
      String undone = "INFO Action %s is undone by bob from 10.0.0.2: multiply login by 2x";
      assertThat(lines.lines)
          .containsExactlyInAnyOrder(
              begins.formatted(first.id(), 2, first.until()),
              begins.formatted(first.id(), 2, first.until()),
              undone.formatted(first.id()),
              undone.formatted(first.id()),
              begins.formatted(second.id(), 3, second.until()),
              begins.formatted(second.id(), 3, second.until()),
              "INFO Action " + second.id() + " has ended: multiply login by 3x",
              "INFO Action " + second.id() + " has ended: multiply login by 3x");
    }
  }
}

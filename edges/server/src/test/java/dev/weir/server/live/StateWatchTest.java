package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StateWatchTest {
  private static final ServerState CALM =
      new ServerState(true, "closed", 2, "v1", 0, List.of(), List.of());

  private final EventLog events = new EventLog();
  private final StateWatch watch = new StateWatch(events);

  private List<String> after(ServerState... states) {
    watch.observe(CALM, 0);
    long before = events.added();
    for (ServerState state : states) {
      watch.observe(state, 1);
    }
    return events.since(before).stream()
        .map(event -> event.kind() + " " + event.level() + ": " + event.text())
        .toList();
  }

  @Test
  void nothingHappensWhileNothingChanges() {
    assertThat(after(CALM, CALM)).isEmpty();
  }

  @Test
  void outageAndItsEndAreEvents() {
    ServerState lost =
        new ServerState(
            false, "open", 2, "v1", 0, List.of(), List.of("redis:6379 does not answer"));
    assertThat(after(lost, lost, CALM))
        .containsExactly(
            "store error: redis:6379 does not answer",
            "breaker warning: Circuit breaker open",
            "store info: The store answers again",
            "breaker info: Circuit breaker closed");
  }

  @Test
  void rulesThatBecomeActiveAndRulesThatAreRefusedAreEvents() {
    ServerState refused =
        new ServerState(true, "closed", 2, "v1", 1, List.of("a.yaml:1:1: what"), List.of());
    ServerState newer = new ServerState(true, "closed", 2, "v2", 1, List.of(), List.of());
    assertThat(after(refused, newer))
        .containsExactly(
            "rules error: A version was refused: a.yaml:1:1: what",
            "rules info: Rules v2 are active, v1 before");
  }

  @Test
  void serversThatComeAndGoAreEvents() {
    ServerState one = new ServerState(true, "closed", 1, "v1", 0, List.of(), List.of());
    assertThat(after(one, CALM))
        .containsExactly(
            "fleet warning: Servers of the fleet: 2 before, 1 now",
            "fleet info: Servers of the fleet: 1 before, 2 now");
  }

  @Test
  void onlyTheLastEventsAreKeptAndTheirTextsAreBounded() {
    for (int i = 0; i < EventLog.MAX_EVENTS + 50; i++) {
      events.add(new Event(i, "test", "info", "x".repeat(i + 400)));
    }
    assertThat(events.added()).isEqualTo(EventLog.MAX_EVENTS + 50);
    assertThat(events.since(0)).hasSize(EventLog.MAX_EVENTS);
    assertThat(events.since(0).get(0).millis()).isEqualTo(50);
    assertThat(events.since(events.added() - 1)).hasSize(1);
    EventLog.Recent recent = events.recent(EventLog.MAX_EVENTS + 47);
    assertThat(recent.list()).hasSize(3);
    assertThat(recent.count()).isEqualTo(EventLog.MAX_EVENTS + 50);
    assertThat(events.since(0)).allMatch(event -> event.text().length() <= 501);
  }
}

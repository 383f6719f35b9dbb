package dev.weir.server.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns changes of a server's state into events. For one thread at a time. */
final class StateWatch {
  private final EventLog events;
  private @Nullable ServerState last;

  StateWatch(EventLog events) {
    this.events = events;
  }

  void observe(ServerState now, long millis) {
    ServerState before = last;
    last = now;
    if (before == null) {
      events.add(new Event(millis, "server", "info", "Started with rules " + now.rules()));
      return;
    }
    if (before.storeAnswers() != now.storeAnswers()) {
      events.add(
          now.storeAnswers()
              ? new Event(millis, "store", "info", "The store answers again")
              : new Event(millis, "store", "error", lost(now.storeProblems())));
    }
    if (!before.breaker().equals(now.breaker())) {
      String level = now.breaker().equals("closed") ? "info" : "warning";
      events.add(new Event(millis, "breaker", level, "Circuit breaker " + now.breaker()));
    }
    if (before.servers() != now.servers()) {
      String level = now.servers() < before.servers() ? "warning" : "info";
      String text = "Servers of the fleet: " + before.servers() + " before, " + now.servers();
      events.add(new Event(millis, "fleet", level, text + " now"));
    }
    if (!before.rules().equals(now.rules())) {
      String text = "Rules " + now.rules() + " are active, " + before.rules() + " before";
      events.add(new Event(millis, "rules", "info", text));
    }
    if (before.refusals() != now.refusals()) {
      String problems = String.join("; ", now.rulesProblems());
      events.add(new Event(millis, "rules", "error", "A version was refused: " + problems));
    }
  }

  private static String lost(List<String> problems) {
    return problems.isEmpty() ? "The store does not answer" : String.join("; ", problems);
  }
}

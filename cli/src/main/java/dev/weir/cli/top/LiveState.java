package dev.weir.cli.top;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server told last.
 *
 * @param second its newest second
 * @param events the newest last
 * @param actions those in force; null if the server has none, or does not say
 * @param received when it came, by the clock of this machine
 */
record LiveState(
    Fields second, List<Fields> events, @Nullable List<Fields> actions, Instant received) {
  private static final int MAX_EVENTS = 200;

  /** The state after another second, which brings the events that are new. */
  static LiveState after(
      @Nullable LiveState before, Fields second, @Nullable List<Fields> actions, Instant now) {
    List<Fields> events = new ArrayList<>(before == null ? List.of() : before.events);
    events.addAll(second.objects("events"));
    int first = Math.max(0, events.size() - MAX_EVENTS);
    return new LiveState(second, List.copyOf(events.subList(first, events.size())), actions, now);
  }

  /** The time of the server. */
  Instant time() {
    return Instant.ofEpochMilli(second.count("time"));
  }
}

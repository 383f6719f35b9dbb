package dev.weir.cli.top;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server sent last. Immutable.
 *
 * @param second its newest second
 * @param events the newest last
 * @param received when it came, by the clock of this machine
 */
record LiveState(Fields second, Timeline timeline, List<Fields> events, Instant received) {
  private static final int MAX_EVENTS = 200;
  private static final String COUNT = "eventCount";

  /** The state after another event; a snapshot replaces all that was known. */
  static LiveState after(@Nullable LiveState before, EventReader.Event event, Instant now) {
    Fields second = event.data();
    if (before == null || event.name().equals("snapshot")) {
      return new LiveState(second, Timeline.of(second), newest(second.objects("events")), now);
    }
    List<Fields> events = new ArrayList<>(before.events);
    events.addAll(fresh(second.objects("events"), before.second, second));
    return new LiveState(second, before.timeline.after(second), newest(events), now);
  }

  /** The events that are not known yet: the last snapshot may have had some of them. */
  private static List<Fields> fresh(List<Fields> events, Fields before, Fields now) {
    if (!now.has(COUNT)) {
      return events;
    }
    long fresh = Math.max(0, now.count(COUNT) - before.count(COUNT));
    return events.subList((int) Math.max(0, events.size() - fresh), events.size());
  }

  private static List<Fields> newest(List<Fields> events) {
    return List.copyOf(events.subList(Math.max(0, events.size() - MAX_EVENTS), events.size()));
  }

  /** The time of the server. */
  Instant time() {
    return Numbers.instant(second.count("time"));
  }
}

package dev.weir.server.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events. Thread-safe. */
public final class EventLog {
  /** How many events are kept. */
  static final int MAX_EVENTS = 200;

  private final Deque<Event> events = new ArrayDeque<>();
  private long added;

  /** Adds an event; the oldest one makes room. */
  public synchronized void add(Event event) {
    if (events.size() == MAX_EVENTS) {
      events.removeFirst();
    }
    events.addLast(event);
    added++;
  }

  /** How many events there have been. */
  synchronized long added() {
    return added;
  }

  /**
   * Events, and how many there have been with them.
   *
   * @param list the oldest first
   */
  record Recent(List<Event> list, long count) {}

  /** The events since there had been so many, and the count at the same moment. */
  synchronized Recent recent(long before) {
    return new Recent(since(before), added);
  }

  /** The events since there had been so many, the oldest first. */
  synchronized List<Event> since(long before) {
    long missing = Math.min(events.size(), added - before);
    return List.copyOf(events).subList((int) (events.size() - missing), events.size());
  }
}

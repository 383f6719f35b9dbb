package dev.weir.simulation.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A readable log of a run, one line per event. Lines about the whole fleet start with "!". */
public final class EventLog {
  private final boolean enabled;
  private final List<Line> lines = new ArrayList<>();

  private record Line(long nanos, String text) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%12.6f s  %s", nanos / 1e9, text);
    }
  }

  private EventLog(boolean enabled) {
    this.enabled = enabled;
  }

  /** A log that keeps nothing. */
  public static EventLog disabled() {
    return new EventLog(false);
  }

  /** A log that keeps every line. */
  public static EventLog recording() {
    return new EventLog(true);
  }

  boolean isEnabled() {
    return enabled;
  }

  void add(long nanos, String text) {
    lines.add(new Line(nanos, text));
  }

  /** All lines, in the order of time. */
  public List<String> allLines() {
    return lines.stream().map(Line::toString).toList();
  }

  /** The last lines up to a moment that are about a counter or about the whole fleet. */
  public List<String> linesAbout(String account, long untilNanos, int maxLines) {
    List<String> about =
        lines.stream()
            .filter(line -> line.nanos <= untilNanos)
            .filter(line -> line.text.startsWith("!") || line.text.contains(account))
            .map(Line::toString)
            .toList();
    return about.subList(Math.max(0, about.size() - maxLines), about.size());
  }
}

package dev.weir.cli.top;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * How many requests were decided in each second of the last 15 minutes, by outcome. Immutable.
 *
 * <p>A second that this client has missed, or that was before the start of the server, is unknown,
 * which is not the same as none.
 */
final class Timeline {
  static final int SECONDS = 15 * 60;
  private static final double UNKNOWN = Double.NaN;
  private static final int MAX_OUTCOMES = 12;

  /** In the order in which they are shown. */
  private static final List<String> KNOWN =
      List.of("allowed", "denied", "blocked", "shadow-denied", "uncounted", "unanswered");

  private final long length;
  private final Map<String, double[]> seconds;

  private Timeline(long length, Map<String, double[]> seconds) {
    this.length = length;
    this.seconds = seconds;
  }

  /** The history of a snapshot. */
  static Timeline of(Fields snapshot) {
    return new Timeline(0, Map.of())
        .after(snapshot.count("second"), snapshot.at("history").at("seconds"));
  }

  /** The same with what another second brings: the last ten of them. */
  Timeline after(Fields second) {
    return after(second.count("second"), second.at("recent"));
  }

  private Timeline after(long newLength, Fields newest) {
    TreeSet<String> outcomes = new TreeSet<>(seconds.keySet());
    outcomes.addAll(newest.names());
    Map<String, double[]> all = new HashMap<>();
    for (String outcome : outcomes) {
      if (all.size() < MAX_OUTCOMES || KNOWN.contains(outcome)) {
        all.put(outcome, after(newLength, outcome, newest.numbers(outcome)));
      }
    }
    return new Timeline(newLength, all);
  }

  private double[] after(long newLength, String outcome, List<Double> newest) {
    double[] values = new double[SECONDS];
    for (int i = 0; i < SECONDS; i++) {
      long second = newLength - SECONDS + i;
      int at = newest.size() - SECONDS + i;
      values[i] = second < 0 ? UNKNOWN : at >= 0 ? newest.get(at) : value(outcome, second);
    }
    return values;
  }

  private double value(String outcome, long second) {
    double[] values = seconds.get(outcome);
    long at = second - length + SECONDS;
    return values == null || at < 0 || at >= SECONDS ? UNKNOWN : values[(int) at];
  }

  /** Those with any request, and always those that everybody looks for. */
  List<String> outcomes() {
    List<String> shown = new ArrayList<>(KNOWN);
    seconds.keySet().stream().sorted().filter(one -> !KNOWN.contains(one)).forEach(shown::add);
    shown.removeIf(one -> !one.equals("allowed") && !one.equals("denied") && !(peak(one, 1) > 0));
    return shown;
  }

  /** The mean of the last seconds. */
  double mean(String outcome, int last) {
    return mean(outcome, length - last, length);
  }

  /** The highest column, or second if a column is one. */
  double peak(String outcome, int secondsPerColumn) {
    return columns(outcome, secondsPerColumn).stream()
        .mapToDouble(value -> value)
        .filter(value -> value >= 0)
        .max()
        .orElse(0);
  }

  /**
   * The mean per second of each column, NaN if unknown.
   *
   * <p>Columns begin at multiples of their length since the start of the server, so that they keep
   * their height while they move to the left.
   */
  List<Double> columns(String outcome, int secondsPerColumn) {
    int count = SECONDS / secondsPerColumn;
    long newest = Math.max(0, length - 1) / secondsPerColumn;
    Double[] columns = new Double[count];
    Arrays.setAll(
        columns,
        i -> {
          long from = (newest - count + 1 + i) * secondsPerColumn;
          return mean(outcome, from, from + secondsPerColumn);
        });
    return List.of(columns);
  }

  /** The column of what was so many seconds ago; negative if it is none. */
  int column(long secondsAgo, int secondsPerColumn) {
    long newest = Math.max(0, length - 1) / secondsPerColumn;
    long of = Math.floorDiv(length - 1 - secondsAgo, secondsPerColumn);
    long column = SECONDS / secondsPerColumn - 1 - (newest - of);
    return secondsAgo < 0 || column < 0 ? -1 : (int) column;
  }

  private double mean(String outcome, long from, long to) {
    double sum = 0;
    int known = 0;
    for (long second = from; second < to; second++) {
      double value = value(outcome, second);
      if (value >= 0) {
        sum += value;
        known++;
      }
    }
    return known == 0 ? UNKNOWN : sum / known;
  }
}

package dev.weir.server.live;

import dev.weir.limiter.Limiter.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How many requests were decided in each second of the last 15 minutes and in each minute of the
 * last day, by outcome; and how many each rule denied.
 *
 * <p><b>Bounds.</b> At most {@value #MAX_RULES} rules have a timeline, of 9 KiB each: those that
 * denied last. A rule without one has its timeline from the first denial on.
 *
 * <p>Thread-safe.
 */
public final class DecisionHistory {
  /** The maximum number of rules with a timeline. */
  public static final int MAX_RULES = 200;

  private static final int MINUTE = 60;
  private static final int MINUTES_PER_HOUR = 60;

  private final Map<Outcome, Timeline> outcomes = new EnumMap<>(Outcome.class);
  private final Map<String, DeniedRequests> rules = new HashMap<>();
  private Map<Outcome, Long> lastOutcomes = Map.of();
  private Map<String, Long> lastDenied = Map.of();
  private long second = -1;

  private static final class DeniedRequests {
    final Timeline timeline = new Timeline();
    long lastSecond;
  }

  /**
   * How often a rule denied.
   *
   * @param perSecond in the last minute
   * @param hourAgo per second in the minute an hour before
   * @param seconds of the last minute, the oldest first
   */
  public record RuleDenials(String rule, double perSecond, double hourAgo, List<Integer> seconds) {}

  /** Empty. */
  public DecisionHistory() {
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new Timeline());
    }
  }

  /**
   * Ends a second.
   *
   * @param requests counted by outcome since the start
   * @param denied counted by rule since the start
   */
  public synchronized void tick(Map<Outcome, Long> requests, Map<String, Long> denied) {
    boolean first = second < 0;
    second++;
    outcomes.forEach(
        (outcome, timeline) -> {
          long now = requests.getOrDefault(outcome, 0L);
          long before = first ? now : lastOutcomes.getOrDefault(outcome, 0L);
          timeline.add(second, now - before);
        });
    denied.forEach(
        (rule, now) -> {
          long before = first ? now : lastDenied.getOrDefault(rule, 0L);
          DeniedRequests known = rules.get(rule);
          if (now > before && known == null) {
            makeRoom();
            known = new DeniedRequests();
            rules.put(rule, known);
          }
          if (known != null) {
            known.timeline.add(second, now - before);
            known.lastSecond = now > before ? second : known.lastSecond;
          }
        });
    lastOutcomes = Map.copyOf(requests);
    lastDenied = Map.copyOf(denied);
  }

  private void makeRoom() {
    if (rules.size() >= MAX_RULES) {
      rules.entrySet().stream()
          .min(Comparator.comparingLong(entry -> entry.getValue().lastSecond))
          .ifPresent(oldest -> rules.remove(oldest.getKey()));
    }
  }

  /** How many seconds have ended. */
  public synchronized long length() {
    return second + 1;
  }

  /** The last seconds of an outcome, the oldest first. */
  public synchronized int[] seconds(Outcome outcome, int count) {
    return of(outcome).seconds(second, count);
  }

  /** The last whole minutes of an outcome, the oldest first. */
  public synchronized int[] minutes(Outcome outcome, int count) {
    return of(outcome).minutes(second, count);
  }

  private Timeline of(Outcome outcome) {
    return Objects.requireNonNull(outcomes.get(outcome));
  }

  /** The rules that denied within the last minute or the minute an hour before, by their rate. */
  public synchronized List<RuleDenials> denials(int max) {
    List<RuleDenials> all = new ArrayList<>();
    rules.forEach(
        (rule, of) -> {
          double perSecond = of.timeline.sum(second, MINUTE) / (double) MINUTE;
          double hourAgo = of.timeline.minutes(second, MINUTES_PER_HOUR)[0] / (double) MINUTE;
          if (perSecond > 0 || hourAgo > 0) {
            List<Integer> seconds =
                Arrays.stream(of.timeline.seconds(second, MINUTE)).boxed().toList();
            all.add(new RuleDenials(rule, perSecond, hourAgo, seconds));
          }
        });
    all.sort(
        Comparator.comparingDouble(RuleDenials::perSecond)
            .thenComparingDouble(RuleDenials::hourAgo)
            .reversed()
            .thenComparing(RuleDenials::rule));
    return all.subList(0, Math.min(max, all.size()));
  }
}

package dev.weir.redis.fault;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcomes of all requests of a {@link Load}. Thread-safe. */
final class Outcomes {
  private final List<Outcome> outcomes = new ArrayList<>();

  /** Adds one, and returns how many there are. */
  int add(Outcome outcome) {
    synchronized (outcomes) {
      outcomes.add(outcome);
      return outcomes.size();
    }
  }

  List<Outcome> all() {
    synchronized (outcomes) {
      return List.copyOf(outcomes);
    }
  }

  /** The number of each failure, by its effect and message. */
  Map<String, Integer> failures() {
    Map<String, Integer> count = new TreeMap<>();
    for (Outcome one : all()) {
      if (!one.isDecided()) {
        count.merge(one.effect() + " " + one.failure(), 1, Integer::sum);
      }
    }
    return count;
  }

  long allowed() {
    return all().stream().filter(Outcome::allowed).count();
  }

  long allowed(int claim) {
    return all().stream().filter(one -> one.claim() == claim && one.allowed()).count();
  }

  long allowedSince(long nanos) {
    return all().stream().filter(one -> one.allowed() && one.endNanos() - nanos > 0).count();
  }

  long unknown() {
    return all().stream().filter(Outcome::isUnknown).count();
  }

  long unknown(int claim) {
    return all().stream().filter(one -> one.claim() == claim && one.isUnknown()).count();
  }

  long failed() {
    return all().stream().filter(one -> !one.isDecided()).count();
  }

  /** The number of counters of which a request that began after {@code nanos} was decided. */
  long countersDecidedSince(long nanos) {
    return all().stream()
        .filter(one -> one.isDecided() && one.startNanos() - nanos > 0)
        .mapToInt(Outcome::claim)
        .distinct()
        .count();
  }

  /** The number of counters that have denied a request. */
  long countersThatDeny() {
    return all().stream()
        .filter(one -> one.isDecided() && !one.allowed())
        .mapToInt(Outcome::claim)
        .distinct()
        .count();
  }

  /** The durations of all requests, the shortest first. */
  long[] sortedNanos() {
    return all().stream().mapToLong(Outcome::nanos).sorted().toArray();
  }

  /** The five slowest requests, for people. */
  String slowest() {
    List<Outcome> all = all();
    return all.stream()
        .sorted(Comparator.comparingLong(one -> -one.nanos()))
        .limit(5)
        .map(
            one ->
                "%.1f ms after %.1f ms: %s"
                    .formatted(
                        one.nanos() / 1e6,
                        (one.startNanos() - all.get(0).startNanos()) / 1e6,
                        one.isDecided() ? "decided" : one.failure()))
        .toList()
        .toString();
  }

  /** A summary in one line. */
  @Override
  public String toString() {
    long[] nanos = sortedNanos();
    return "%d answers: %d allowed, %d unknown, %d failed; p99.9 %.1f ms, slowest %.1f ms; %s"
        .formatted(
            nanos.length,
            allowed(),
            unknown(),
            failed(),
            nanos[(int) (nanos.length * 0.999)] / 1e6,
            nanos[nanos.length - 1] / 1e6,
            failures());
  }
}

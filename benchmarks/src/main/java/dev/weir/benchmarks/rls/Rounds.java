package dev.weir.benchmarks.rls;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.Options.Peer;
import dev.weir.benchmarks.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The rounds of one situation, in each of which every server had its turn. */
final class Rounds {
  private final Loader loader;
  private final Map<String, List<Round>> rounds = new LinkedHashMap<>();

  Rounds(Loader loader) {
    this.loader = loader;
  }

  /**
   * @param warmUps rounds before those that count
   */
  void run(Map<String, Peer> servers, int warmUps, int count, int millis) throws IOException {
    for (int round = 0; round < warmUps + count; round++) {
      for (Map.Entry<String, Peer> one : servers.entrySet()) {
        Round measured = loader.on(one.getValue(), millis);
        if (round >= warmUps) {
          rounds.computeIfAbsent(one.getKey(), absent -> new ArrayList<>()).add(measured);
        }
      }
    }
  }

  /** The median of what one has over what the other has, round by round. */
  double ratio(String one, String other, ToDoubleFunction<Round> what) {
    List<Round> above = all(one);
    List<Round> below = all(other);
    return median(
        IntStream.range(0, above.size())
            .mapToObj(i -> what.applyAsDouble(above.get(i)) / what.applyAsDouble(below.get(i)))
            .toList());
  }

  void tell(Report report, String title) {
    report.line("");
    report.line(title + ":");
    report.line("");
    report.line("| | requests/s | p50 µs | p99 µs |");
    report.line("|---|---|---|---|");
    for (String one : rounds.keySet()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f |",
              one,
              median(all(one).stream().map(Round::perSecond).toList()),
              median(all(one).stream().map(Round::p50Micros).toList()),
              median(all(one).stream().map(Round::p99Micros).toList())));
    }
  }

  private List<Round> all(String one) {
    return requireNonNull(rounds.get(one), one);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}

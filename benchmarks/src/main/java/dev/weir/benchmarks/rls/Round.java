package dev.weir.benchmarks.rls;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.Options.Peer;
import dev.weir.benchmarks.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What one round measured. */
record Round(double perSecond, double p50Micros, double p99Micros) {
  private static final int CONNECTIONS = 2;
  private static final int IN_FLIGHT = 128;
  private static final int WARM_UP_MILLIS = 2_000;

  /** Puts load on a server, from a process of its own. */
  static Round on(Peer server, int millis) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Load.class.getName(),
                server.host(),
                Integer.toString(server.port()),
                Integer.toString(CONNECTIONS),
                Integer.toString(IN_FLIGHT),
                Integer.toString(WARM_UP_MILLIS),
                Integer.toString(millis))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the load failed: " + out);
    }
    String[] numbers = out.strip().split(" ", -1);
    if (!numbers[3].equals("0")) {
      throw new IllegalStateException("calls were denied or failed: " + numbers[3]);
    }
    return new Round(
        Double.parseDouble(numbers[0]),
        Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]));
  }

  /** The rounds of one situation, in each of which every server had its turn. */
  static final class All {
    private final Map<String, List<Round>> rounds = new LinkedHashMap<>();

    /**
     * @param warmUps rounds before those that count
     */
    void run(Map<String, Peer> servers, int warmUps, int count, int millis)
        throws IOException, InterruptedException {
      for (int round = 0; round < warmUps + count; round++) {
        for (Map.Entry<String, Peer> one : servers.entrySet()) {
          Round measured = on(one.getValue(), millis);
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
}

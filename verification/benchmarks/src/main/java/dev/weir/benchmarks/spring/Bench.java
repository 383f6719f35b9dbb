package dev.weir.benchmarks.spring;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.benchmarks.server.Load;
import dev.weir.benchmarks.server.Round;
import dev.weir.benchmarks.server.Server;
import dev.weir.benchmarks.server.WarmUp;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures contestants under the same load. */
record Bench(Report report, Workers workers, Environment environment, boolean full) {
  /** A contestant that used less of its core than this was not what limited the throughput. */
  private static final double BUSY = 0.9;

  private static final int MAX_CHECKS = 120;
  private static final int CHECK_MILLIS = 250;

  /**
   * Measures contestants in turns, and reports them.
   *
   * @param contestants the table says what they add if the first one has no limiter
   */
  Rounds<Contestant, Round> measure(String title, List<Contestant> contestants)
      throws IOException, InterruptedException {
    Map<Contestant, Server> servers = new EnumMap<>(Contestant.class);
    try {
      for (Contestant contestant : contestants) {
        Server server = contestant.start(environment);
        servers.put(contestant, server);
        checkLimiter(contestant, server);
        if (!WarmUp.run(server, workers, contestant.tolerated())) {
          report.line("");
          report.line("Do not trust \"" + contestant.title() + "\": it was still getting faster.");
        }
      }
      Rounds<Contestant, Round> rounds =
          Rounds.run(
              contestants,
              1,
              full ? 15 : 7,
              one ->
                  Round.closedLoop(
                      requireNonNull(servers.get(one)),
                      workers,
                      full ? 2_000 : 1_200,
                      one.tolerated()));
      describe(title, rounds, contestants.get(0));
      if (contestants.stream().allMatch(Contestant::isWebFlux)) {
        describeFilters(servers);
      }
      return rounds;
    } finally {
      servers.values().forEach(Server::close);
    }
  }

  /** A limiter that is switched off would be the fastest; one that has just started may be late. */
  private static void checkLimiter(Contestant contestant, Server server)
      throws IOException, InterruptedException {
    boolean counts = counts(server);
    for (int i = 0; i < MAX_CHECKS && counts != contestant.isLimited(); i++) {
      Thread.sleep(CHECK_MILLIS);
      counts = counts(server);
    }
    if (counts != contestant.isLimited()) {
      throw new IllegalStateException(
          contestant + ": " + (counts ? "limited" : "not limited") + " (expected: the contrary)");
    }
  }

  private static boolean counts(Server server) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(Load.url(server.port())).toURL().openConnection();
    connection.setRequestProperty(Load.KEY_HEADER, "probe");
    boolean counts =
        connection.getHeaderFields().keySet().stream()
            .anyMatch(name -> name != null && name.matches("(?i)X-Rate-?Limit-Remaining"));
    connection.disconnect();
    return counts;
  }

  /** The CPU time of a request that a contestant needs more than another one. */
  static double added(Rounds<Contestant, Round> rounds, Contestant one, Contestant other) {
    return rounds.difference(one, other, Round::cpuMicros);
  }

  private void describe(String title, Rounds<Contestant, Round> rounds, Contestant first) {
    report.line("");
    report.line(title + ", 64 connections:");
    report.line("");
    report.line("| | requests/s | p50 µs | p99 µs | CPU µs/request | adds µs | core busy |");
    report.line("|---|---|---|---|---|---|---|");
    for (Contestant one : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f | %.1f | %s | %.0f %% |",
              one.title(),
              rounds.median(one, Round::perSecond),
              rounds.median(one, Round::p50Micros),
              rounds.median(one, Round::p99Micros),
              rounds.median(one, Round::cpuMicros),
              one.isLimited() && !first.isLimited()
                  ? "%.1f".formatted(added(rounds, one, first))
                  : "",
              100 * rounds.median(one, Round::busy)));
    }
    for (Contestant one : rounds.all()) {
      double lost = rounds.max(one, Round::failed);
      if (lost > 0) {
        report.line("");
        report.line(
            String.format(
                Locale.ROOT,
                "\"%s\": up to %.4f %% of the requests of a round had no answer within 5 s.",
                one.title(),
                100 * lost));
      }
      if (rounds.median(one, Round::busy) < BUSY) {
        report.line("");
        report.line("\"" + one.title() + "\": others used its core, or it was not the bottleneck.");
      }
    }
  }

  private void describeFilters(Map<Contestant, Server> servers) throws IOException {
    report.line("");
    report.line("The filter alone, called in a loop in the same application:");
    report.line("");
    report.line("| | CPU µs/call | bytes/call |");
    report.line("|---|---|---|");
    for (Map.Entry<Contestant, Server> server : servers.entrySet()) {
      if (server.getKey().isLimited()) {
        FilterCost cost = FilterCost.of(server.getValue());
        report.line(
            String.format(
                Locale.ROOT,
                "| %s | %.2f | %d |",
                server.getKey().title(),
                cost.nanos() / 1e3,
                cost.bytes()));
      }
    }
  }
}

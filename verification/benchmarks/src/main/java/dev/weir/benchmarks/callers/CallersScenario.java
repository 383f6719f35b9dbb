package dev.weir.benchmarks.callers;

import dev.weir.benchmarks.callers.LiveHeap.Growth;
import dev.weir.benchmarks.callers.PageClock.Times;
import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.http.LoadProcess;
import java.io.IOException;
import java.util.Locale;

/**
 * A million callers at full load for a minute: how fast the dashboard answers meanwhile, and what
 * memory it takes to know the heaviest of them.
 *
 * <p><b>Memory.</b> The counters of a million callers take far more memory than what is known of
 * the heaviest ones, so they are all there before: the callers are charged one permit each, which
 * counts in the store and nowhere else. Then the live heap of the server is measured, and again
 * when the minute is over. What it has grown by is everything that the minute has left behind, not
 * only the sketches.
 */
public final class CallersScenario implements Scenario {
  private static final int CALLERS = 1_000_000;

  /** So many seconds of load bring everything to its size that does not depend on callers. */
  private static final int WARM_UP_MILLIS = 10_000;

  /** Then the lists of the last minute have forgotten the warm-up. */
  private static final int MILLIS = 60_000;

  @Override
  public String about() {
    return "1,000,000 callers at full load: memory of the heaviest ones, answers of the dashboard";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    CallersServer.build();
    try (CallersServer server = CallersServer.start()) {
      warmUp(server);
      server.charge(CALLERS);
      LiveHeap before = LiveHeap.of(server.pid());
      LoadProcess.Result load;
      Times times;
      try (PageClock pages = PageClock.start(server.adminPort())) {
        load = load(server, CALLERS, 1, MILLIS);
        times = pages.times();
      }
      LiveHeap after = LiveHeap.of(server.pid());
      describe(report, load);
      times.describe(report);
      Growth growth = after.since(before);
      growth.describe(report);
      TopOfList top = TopOfList.of(server.adminPort());
      top.describe(report);
      report.claimAtMost("page-answers-millis", 200, times.maxMillis());
      report.claimAtMost("heap-growth-mib", 8, growth.mebibytes());
      report.claimAtLeast("heaviest-over-next", 2, top.ratio());
    }
  }

  /** The same requests of one caller, with a page open. */
  private static void warmUp(CallersServer server) throws IOException {
    try (PageClock pages = PageClock.start(server.adminPort())) {
      load(server, 1, 1, WARM_UP_MILLIS);
      pages.times();
    }
  }

  private static LoadProcess.Result load(CallersServer server, int callers, int pages, int millis)
      throws IOException {
    return new LoadProcess(server.port(), server.adminPort(), callers, pages, 0, millis).run();
  }

  private static void describe(Report report, LoadProcess.Result load) {
    double requests = load.perSecond() * MILLIS / 1_000;
    report.line(
        String.format(
            Locale.ROOT,
            "%d callers in turn, and one who sends every 50th request, through `./weir serve` with"
                + " two rules for each; the load and a dashboard on the same cores, for %d s:",
            CALLERS,
            MILLIS / 1_000));
    report.line("");
    report.line(
        String.format(
            Locale.ROOT,
            "- %.0f requests/s, p99 %.1f ms; %.0f %% denied; each caller came %.1f times",
            load.perSecond(),
            load.p99() / 1e3,
            100 * load.notAllowed() / requests,
            requests / CALLERS));
  }
}

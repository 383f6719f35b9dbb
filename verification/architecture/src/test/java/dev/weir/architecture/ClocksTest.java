package dev.weir.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Time comes from a clock that is passed in: a ticker, a scheduler or an InstantSource. */
class ClocksTest {
  private static final Pattern SYSTEM_CLOCK =
      Pattern.compile("nanoTime|currentTimeMillis|\\.now\\(\\)|Clock\\.system");

  /** Who reads the clock of the machine all the same, and why. */
  private static final Map<String, String> READERS =
      Map.ofEntries(
          Map.entry("SystemTicker", "is the wall clock"),
          Map.entry("SystemTimers", "is the monotonic clock of the client"),
          Map.entry("SystemScheduler", "is the monotonic clock"),
          Map.entry("StallClock", "notices when this process did not run; tests pass another"),
          Map.entry("LogBudget", "spaces lines of the log; tests pass another"),
          Map.entry("LoopMonitor", "notices a stuck event loop; tests pass another"),
          Map.entry("ActiveShedder", "spaces the steps of load shedding; tests pass another"),
          Map.entry("ConnectionGate", "bounds idle connections; tests pass another"),
          Map.entry("ReadOnlyReconnect", "spaces reconnects, decides no request"),
          Map.entry("TimedRequest", "measures how long a response took"),
          Map.entry("Driver", "measures how fast a starting server is"),
          Map.entry("WarmUp", "bounds the time of a start"),
          Map.entry("TrialStore", "measures how fast the store is while the server starts"),
          Map.entry("WeirServer", "logs how long a stop took"),
          Map.entry("ServerRuntime", "says in a header since when it drains"),
          Map.entry("SlowRequestGuard", "bounds how slowly a client may send"),
          Map.entry("Streams", "resets streams that nobody finishes"),
          Map.entry("StoreOutages", "writes into the log since when the store is away"),
          Map.entry("StopSignal", "tells a second signal from a repeated one"),
          Map.entry("ExportLoop", "spaces what is sent to a collector, decides no request"),
          Map.entry("ExchangeClock", "bounds how long a client or an upstream may be silent"),
          Map.entry(
              "AccessRecord", "says in the access log when a request came, and how long it took"),
          Map.entry("ForwardedRequest", "measures how long an upstream took to answer"),
          Map.entry("GatewayRequest", "measures how long a request took, for the access log"),
          Map.entry("GatewayEdge", "measures how old an estimate is; the costs get a clock"),
          Map.entry("LoopRequests", "checks the time limits of requests in flight"),
          Map.entry("ReplayProgress", "shows how fast a log is read; tests pass another"),
          Map.entry("LoadGenerator", "measures latencies; the loop below it gets a clock"),
          Map.entry("RideService", "is a stand-in for a service; its workers get a clock"),
          Map.entry("RequestExplanation", "bounds the wait for keys of tokens"),
          Map.entry("RedisCounterStore", "bounds the wait for Redis at the start"));

  @Test
  void onlyTheseReadTheClockOfTheMachine() {
    Set<String> readers = new TreeSet<>();
    for (Path file : Sources.files()) {
      boolean published = !Sources.name(file).startsWith("verification/");
      if (published && Sources.lines(file).stream().anyMatch(ClocksTest::isReading)) {
        readers.add(String.valueOf(file.getFileName()).replace(".java", ""));
      }
    }
    assertThat(readers).isEqualTo(new TreeSet<>(READERS.keySet()));
  }

  private static boolean isReading(String line) {
    return SYSTEM_CLOCK.matcher(line).find() && !line.strip().startsWith("*");
  }
}

package dev.weir.benchmarks.rls;

import dev.weir.benchmarks.harness.Options.Peer;
import dev.weir.benchmarks.harness.Workers;
import java.io.IOException;

/** The result of one round. */
record Round(double perSecond, double p50Micros, double p99Micros) {
  private static final int CONNECTIONS = 2;
  private static final int IN_FLIGHT = 128;
  private static final int WARM_UP_MILLIS = 1_000;

  /** Measures a server with {@link Load}, in a process of its own. */
  static Round measure(Peer server, Workers workers, int millis) throws IOException {
    String task =
        "%s %d %d %d %d %d"
            .formatted(
                server.host(), server.port(), CONNECTIONS, IN_FLIGHT, WARM_UP_MILLIS, millis);
    String[] numbers = workers.run(task, 1).get(0).split(" ", -1);
    if (!numbers[3].equals("0")) {
      throw new IllegalStateException("calls were denied or failed: " + numbers[3]);
    }
    return new Round(
        Double.parseDouble(numbers[0]),
        Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]));
  }
}

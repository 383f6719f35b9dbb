package dev.weir.benchmarks.rls;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.Options.Peer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The process that puts on the load. */
final class Loader implements AutoCloseable {
  private static final int CONNECTIONS = 2;
  private static final int IN_FLIGHT = 128;
  private static final int WARM_UP_MILLIS = 1_000;

  private final Process process;
  private final PrintStream tasks;
  private final BufferedReader results;

  Loader() throws IOException {
    process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Load.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    tasks = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
    results =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  Round on(Peer server, int millis) throws IOException {
    tasks.printf(
        "%s %d %d %d %d %d%n",
        server.host(), server.port(), CONNECTIONS, IN_FLIGHT, WARM_UP_MILLIS, millis);
    String[] numbers = requireNonNull(results.readLine(), "the load failed").split(" ", -1);
    if (!numbers[3].equals("0")) {
      throw new IllegalStateException("calls were denied or failed: " + numbers[3]);
    }
    return new Round(
        Double.parseDouble(numbers[0]),
        Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]));
  }

  @Override
  public void close() {
    tasks.close();
    process.destroy();
  }
}

package dev.weir.benchmarks.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A run of {@link Load} in a process of its own.
 *
 * @param port of the server
 * @param adminPort where the server has its dashboard
 * @param callers how many API keys the requests have in turn
 * @param pages how many dashboards are open meanwhile
 * @param warmUpMillis before the measurement
 */
public record LoadProcess(
    int port, int adminPort, int callers, int pages, int warmUpMillis, int millis) {
  private static final String PATH = "/v1/check/api/rides/request";
  private static final int CONNECTIONS = 32;

  /**
   * What was measured.
   *
   * @param p50 microseconds
   * @param p99 microseconds
   * @param notAllowed requests that were denied or failed
   */
  public record Result(double perSecond, double p50, double p99, long notAllowed) {}

  /**
   * Runs it, and returns when it has ended.
   *
   * @throws IllegalStateException if it fails; its output says why
   */
  public Result run() throws IOException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Load.class.getName(),
                Integer.toString(port),
                PATH,
                Integer.toString(CONNECTIONS),
                Integer.toString(warmUpMillis),
                Integer.toString(millis),
                Integer.toString(callers),
                Integer.toString(adminPort),
                Integer.toString(pages))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the load process failed: " + out);
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the load runs");
    }
    String[] numbers = out.strip().split(" ", -1);
    return new Result(
        Double.parseDouble(numbers[0]),
        Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]),
        Long.parseLong(numbers[3]));
  }
}

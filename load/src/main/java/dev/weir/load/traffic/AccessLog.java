package dev.weir.load.traffic;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The requests of an access log: method, path and client. Immutable and thread-safe.
 *
 * <p>Equal requests are kept once, so that memory is that of the different ones and of four bytes
 * for each line. The client of a request is sent as {@code X-Forwarded-For}. An access log has no
 * bodies; neither do its requests.
 */
public final class AccessLog {
  /** Lines from this number on are not read. */
  public static final int MAX_LINES = 1_000_000;

  private static final String CLIENT_HEADER = "X-Forwarded-For";

  private final List<AccessLogLine> requests;
  private final int[] order;
  private final int skipped;

  private AccessLog(List<AccessLogLine> requests, int[] order, int skipped) {
    this.requests = requests;
    this.order = order;
    this.skipped = skipped;
  }

  /**
   * Reads a log.
   *
   * @param file the name for error messages
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if no line is a request
   */
  public static AccessLog read(String file, BufferedReader reader) throws IOException {
    Map<AccessLogLine, Integer> indexes = new HashMap<>();
    List<AccessLogLine> requests = new ArrayList<>();
    int[] order = new int[1_024];
    int count = 0;
    int skipped = 0;
    for (String line = reader.readLine();
        line != null && count + skipped < MAX_LINES;
        line = reader.readLine()) {
      Optional<AccessLogLine> request = AccessLogLine.parse(line);
      if (request.isEmpty()) {
        skipped++;
        continue;
      }
      int index = indexes.computeIfAbsent(request.get(), added -> indexes.size());
      if (index == requests.size()) {
        requests.add(request.get());
      }
      order = count == order.length ? Arrays.copyOf(order, 2 * count) : order;
      order[count++] = index;
    }
    if (count == 0) {
      String expected = "lines in the common, combined or JSON format";
      throw new IllegalArgumentException(file + ": no request (expected: " + expected + ")");
    }
    return new AccessLog(requests, Arrays.copyOf(order, count), skipped);
  }

  /** The number of requests. */
  public int size() {
    return order.length;
  }

  /** The number of lines that were not requests. */
  public int skipped() {
    return skipped;
  }

  /** Its requests in its order, again from the beginning after the end. */
  public Traffic inOrder(String authority) {
    RequestTemplate[] templates = templates(authority);
    return new Traffic() {
      private int next;

      @Override
      public Request next() {
        int line = next;
        next = (line + 1) % order.length;
        return templates[order[line]].render("");
      }
    };
  }

  /** Its requests at random, each as often as it is in the log. */
  public Traffic atRandom(String authority, RandomGenerator random) {
    RequestTemplate[] templates = templates(authority);
    return () -> templates[order[random.nextInt(order.length)]].render("");
  }

  private RequestTemplate[] templates(String authority) {
    return requests.stream()
        .map(request -> new RequestTemplate(spec(request), authority, null))
        .toArray(RequestTemplate[]::new);
  }

  private static RequestSpec spec(AccessLogLine line) {
    Map<String, String> headers =
        line.client().matches("[0-9A-Za-z.:_-]+") ? Map.of(CLIENT_HEADER, line.client()) : Map.of();
    return new RequestSpec(1, line.method(), line.target(), headers, "");
  }
}

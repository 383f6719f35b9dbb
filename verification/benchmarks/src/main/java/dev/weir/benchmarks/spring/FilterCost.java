package dev.weir.benchmarks.spring;

import dev.weir.benchmarks.server.Load;
import dev.weir.benchmarks.server.Server;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * What the filters of an application need for a request, called in a loop by the application
 * itself.
 *
 * @param nanos CPU time of a call
 * @param bytes allocated by a call
 */
record FilterCost(long nanos, long bytes) {
  private static final int REPLY_MILLIS = 60_000;

  static FilterCost of(Server server) throws IOException {
    URI uri = URI.create(Load.url(server.port())).resolve("/cost");
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestProperty(Load.KEY_HEADER, "probe");
    connection.setReadTimeout(REPLY_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      String[] numbers = new String(in.readAllBytes(), StandardCharsets.US_ASCII).split(" ", -1);
      return new FilterCost(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }
  }
}

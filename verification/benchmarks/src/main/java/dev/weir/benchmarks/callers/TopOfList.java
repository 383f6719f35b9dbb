package dev.weir.benchmarks.callers;

import dev.weir.benchmarks.harness.Report;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The first two of the callers that are denied most: how often at least, and how often at most. */
record TopOfList(long heaviest, long error, long next) {
  /** As {@code GET /callers} has them now. */
  static TopOfList of(int adminPort) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + adminPort + "/callers?rule=rides&limit=2");
    try (InputStream body = uri.toURL().openStream()) {
      String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
      JsonArray callers = new JsonObject(text).getJsonArray("callers");
      JsonObject first = callers.getJsonObject(0);
      return new TopOfList(
          first.getLong("count"),
          first.getLong("error"),
          callers.getJsonObject(1).getLong("count"));
    }
  }

  /** How often the heaviest one was denied at least, over how often the next one was at most. */
  double ratio() {
    return (double) (heaviest - error) / next;
  }

  void describe(Report report) {
    report.line("");
    report.line(
        String.format(
            Locale.ROOT,
            "The heaviest caller was denied %d times (error %d) in the last minute, the next one at"
                + " most %d times.",
            heaviest,
            error,
            next));
  }
}

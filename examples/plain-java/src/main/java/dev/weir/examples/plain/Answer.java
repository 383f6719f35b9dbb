package dev.weir.examples.plain;

import com.sun.net.httpserver.HttpExchange;
import dev.weir.library.RateLimitDecision;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What a client gets. */
record Answer(int status, String text, Optional<Duration> retryAfter) {
  static Answer of(int status, String text) {
    return new Answer(status, text, Optional.empty());
  }

  static Answer denied(RateLimitDecision decision) {
    return new Answer(
        429, "too many " + decision.denial().orElseThrow().name(), decision.retryAfter());
  }

  void send(HttpExchange exchange) throws IOException {
    // Whole seconds, rounded up: who comes back earlier is denied again.
    retryAfter.ifPresent(
        wait ->
            exchange
                .getResponseHeaders()
                .set("Retry-After", Long.toString(wait.plusNanos(999_999_999).toSeconds())));
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }
}

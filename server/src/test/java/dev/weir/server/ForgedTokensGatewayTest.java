package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client behind the recipe for NGINX, which lets pass what Weir does not answer, floods it with
 * forged tokens. Weir goes on answering, so that others are limited as ever.
 */
@Timeout(300)
class ForgedTokensGatewayTest {
  private static final int CLIENTS = 64;
  private static final int SECONDS = Effort.of("weir.attack.seconds", 2, 60);
  private static final int LIMIT = 5;

  @TempDir private Path directory = Path.of("");

  private final Tokens tokens = new Tokens(Instant.now());
  private final AtomicBoolean over = new AtomicBoolean();
  private final LongAdder forged = new LongAdder();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private String rules() throws IOException {
    Path jwks = Files.writeString(directory.resolve("jwks.json"), tokens.jwks());
    return """
        trusted-proxies: 127.0.0.1/32
        jwt: {jwks: "%s"}
        rules:
          - {name: account, match: {path: /account/**}, per: jwt sub, limit: 1000000/hour}
          - name: login
            match: {path: /login/*}
            per: path
            limit: 5/day
            algorithm: fixed-window
        """
        .formatted(jwks);
  }

  @Test
  void loginsAreLimitedMeanwhileAndAfterwards() throws Exception {
    try (Served served = Served.with(rules());
        Served application = Served.with("rules: [{name: none, limit: unlimited}]");
        Gateway nginx = Gateway.nginx(directory, served.server.port(), application.server.port())) {
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Thread client = new Thread(() -> flood(nginx.port), "client " + i);
        clients.add(client);
        client.start();
      }
      int rounds = 0;
      try {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < end || rounds == 0) {
          assertThat(passed(nginx.port, "meanwhile-" + rounds++)).isEqualTo(LIMIT);
        }
      } finally {
        over.set(true);
        for (Thread client : clients) {
          client.join();
        }
      }
      assertThat(failure.get()).isNull();
      assertThat(forged.sum()).as("forged tokens").isPositive();
      assertThat(passed(nginx.port, "afterwards")).isEqualTo(LIMIT);
    }
  }

  private void flood(int port) {
    try (RawClient client = new RawClient(port, 60_000)) {
      while (!over.get()) {
        int status = status(client, "/account/a", "Authorization: Bearer " + forgery() + "\r\n");
        assertThat(status).isIn(404, 429);
        forged.increment();
      }
    } catch (IOException | AssertionError e) {
      failure.set(e);
    }
  }

  private synchronized String forgery() {
    return tokens.forged();
  }

  /** How many of four times the limit pass; the application knows no such path. */
  private static int passed(int port, String who) throws IOException {
    int passed = 0;
    try (RawClient client = new RawClient(port, 60_000)) {
      for (int i = 0; i < 4 * LIMIT; i++) {
        int status = status(client, "/login/" + who, "");
        assertThat(status).isIn(404, 429);
        passed += status == 404 ? 1 : 0;
      }
    }
    return passed;
  }

  private static int status(RawClient client, String path, String headers) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
    client.send(request.getBytes(US_ASCII));
    return requireNonNull(client.read(false)).status();
  }
}

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
 * forged tokens. Weir goes on answering, so that others are limited as ever: those without a token,
 * those whose token is known, and those who come with a new one from the forger's own address.
 */
@Timeout(300)
class ForgedTokensGatewayTest {
  private static final int CLIENTS = 64;
  private static final int SECONDS = Effort.of("weir.attack.seconds", 2, 60);
  private static final int LIMIT = 5;
  private static final int TRIES = 4 * LIMIT;

  @TempDir private Path directory = Path.of("");

  private final TestTokens tokens = new TestTokens(Instant.now());
  private final AtomicBoolean over = new AtomicBoolean();
  private final LongAdder forged = new LongAdder();
  private final LongAdder forgedPassed = new LongAdder();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private String rules() throws IOException {
    Path jwks = Files.writeString(directory.resolve("jwks.json"), tokens.jwks());
    return """
        trusted-proxies: 127.0.0.1/32
        jwt: {jwks: "%s"}
        rules:
          - name: account
            match: {path: /account/**}
            per: jwt sub
            limit: 5/day
            algorithm: fixed-window
          - name: login
            match: {path: /login/*}
            per: path
            limit: 5/day
            algorithm: fixed-window
        """
        .formatted(jwks);
  }

  @Test
  void allClientsAreLimitedDuringAndAfterTheAttack() throws Exception {
    try (TestServer served = TestServer.with(rules());
        TestServer application = TestServer.with("rules: [{name: none, limit: unlimited}]");
        Gateway nginx = Gateway.nginx(directory, served.server.port(), application.server.port())) {
      String ann = bearer(genuine("ann"));
      int annsPassed;
      long turnedAway;
      do { // on a busy machine a token may wait too long to be verified
        turnedAway = turnedAway(served);
        annsPassed = passed(nginx.port, "/account/a", ann, 1);
      } while (turnedAway(served) > turnedAway);
      assertThat(annsPassed).as("known before the flood").isOne();
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
          String who = "meanwhile-" + rounds++;
          assertThat(passed(nginx.port, "/login/" + who, "", TRIES)).isEqualTo(LIMIT);
          String token = bearer(genuine(who));
          assertThat(passed(nginx.port, "/account/a", token, TRIES)).isBetween(0, LIMIT);
          annsPassed += passed(nginx.port, "/account/a", ann, TRIES);
          assertThat(annsPassed).isEqualTo(LIMIT);
        }
      } finally {
        over.set(true);
        for (Thread client : clients) {
          client.join();
        }
      }
      assertThat(failure.get()).isNull();
      assertThat(forged.sum()).as("forged tokens").isPositive();
      assertThat(forgedPassed.sum())
          .as("passed of %d forged: as nobody, or of no use", forged.sum())
          .isBetween(1L, 2L * LIMIT);
      assertThat(passed(nginx.port, "/login/afterwards", "", TRIES)).isEqualTo(LIMIT);
    }
  }

  private static long turnedAway(TestServer served) {
    return served.watch.current().reader().meters().counts().getOrDefault("jwt-queue-full", 0L);
  }

  private void flood(int port) {
    try (RawClient client = new RawClient(port, 60_000)) {
      while (!over.get()) {
        int status = status(client, "/account/a", bearer(forgery()));
        assertThat(status).isIn(404, 429);
        forged.increment();
        forgedPassed.add(status == 404 ? 1 : 0);
      }
    } catch (IOException | AssertionError e) {
      failure.set(e);
    }
  }

  private synchronized String forgery() {
    return tokens.forged();
  }

  private synchronized String genuine(String subject) {
    return tokens.es256(subject);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  /** How many requests pass; the application knows no such path. */
  private static int passed(int port, String path, String headers, int tries) throws IOException {
    int passed = 0;
    try (RawClient client = new RawClient(port, 60_000)) {
      for (int i = 0; i < tries; i++) {
        int status = status(client, path, headers);
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

package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flood of forged tokens costs the server little, and honest callers nothing. */
class ForgedTokensTest {
  private static final String FORGER = "203.0.113.9";
  private static final int FLOOD = 2_000;

  private final SignatureWatch signatures = new SignatureWatch();
  private final InstantSource still = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private final TestTokens tokens = new TestTokens(still.instant());
  private Path jwks;

  @SuppressWarnings("NullAway.Init")
  ForgedTokensTest() {}

  @BeforeEach
  void writeKeys(@TempDir Path folder) throws IOException {
    jwks = Files.writeString(folder.resolve("jwks.json"), tokens.jwks());
  }

  @AfterEach
  void stop() {
    signatures.close();
  }

  private String rules() {
    return """
        trusted-proxies: 127.0.0.0/8
        jwt: {jwks: "%s"}
        rules:
          - {name: account, match: {path: /account/**}, per: jwt sub, limit: 1000/30d}
          - {name: gold, match: {path: /account/**, jwt: {plan: gold}}, limit: 9000/30d}
          - {name: all, per: ip, limit: 100000/hour}
        """
        .formatted(jwks);
  }

  @Test
  void noTokenIsVerifiedWhereNoRuleThatMatchesReadsOne() {
    try (TestServer served = TestServer.at(rules(), still)) {
      for (int i = 0; i < FLOOD; i++) {
        assertThat(ask(served, "/public", FORGER, tokens.forged()).statusCode()).isEqualTo(200);
      }
      assertThat(signatures.verifying()).isEmpty();
      assertThat(counted(served, "jwt-cache-miss")).isZero();
      assertThat(counted(served, "jwt-bad-signature")).isZero();
      assertThat(ask(served, "/account/a", "192.0.2.1", tokens.es256("ann")).statusCode())
          .isEqualTo(200);
      assertThat(signatures.verifying()).as("where one does").hasSize(1);
    }
  }

  @Test
  void noEventLoopVerifiesAndNoMoreFailuresThanTheBudgetAreVerified() {
    try (TestServer served = TestServer.at(rules(), still)) {
      String ann = tokens.es256("ann");
      String bob = tokens.rs256("bob");
      assertThat(remaining(ask(served, "/account/a", FORGER, ann))).isEqualTo(999);
      assertThat(remaining(ask(served, "/account/b", FORGER, bob))).isEqualTo(999);
      for (int round = 1; round <= 20; round++) {
        flood(served, FLOOD / 20);
        // From the address of the forger: a verified token stays cached.
        assertThat(remaining(ask(served, "/account/a", FORGER, ann))).isEqualTo(999 - round);
        assertThat(remaining(ask(served, "/account/b", FORGER, bob))).isEqualTo(999 - round);
      }
      assertThat(signatures.verifying()).as("two honest ones and the budget").hasSize(2 + 20);
      assertThat(counted(served, "jwt-bad-signature")).isEqualTo(20);
      assertThat(counted(served, "jwt-over-budget")).isEqualTo(FLOOD - 20);
      assertThat(remaining(ask(served, "/account/c", "192.0.2.3", tokens.es256("carol"))))
          .as("somebody new, at another address")
          .isEqualTo(999);
      assertThat(signatures.verifying())
          .extracting(Thread::getName)
          .allMatch(name -> !name.startsWith("vert.x-eventloop"));
    }
  }

  @Test
  void exhaustedVerificationBudgetDoesNotExemptFromRulesOnTokens() {
    String rules =
        """
        trusted-proxies: 127.0.0.0/8
        jwt: {jwks: "%s"}
        rules:
          - {name: each, per: jwt sub, limit: 100/hour, when-absent: skip}
          - {name: free, match: {jwt: {plan: "*"}}, limit: 100/hour}
        """
            .formatted(jwks);
    try (TestServer served = TestServer.at(rules, still)) {
      for (int i = 0; i < 20; i++) {
        assertThat(limit(ask(served, "/", FORGER, tokens.forged())))
            .as("forged is absent")
            .isEmpty();
      }
      assertThat(limit(ask(served, "/", FORGER, tokens.es256("mallory")))).isEqualTo("100");
      assertThat(limit(ask(served, "/", "192.0.2.1", tokens.es256("mallory")))).isEqualTo("100");
      assertThat(signatures.verifying()).hasSize(21);
    }
  }

  @Test
  void slowVerificationDelaysNoOtherRequest() throws Exception {
    try (TestServer served = TestServer.at(rules(), still)) {
      signatures.hold();
      CompletableFuture<HttpResponse<String>> first =
          served.client.sendAsync(
              request(served, "/account/a", "192.0.2.1", tokens.es256("ann")),
              BodyHandlers.ofString());
      try {
        signatures.awaitHeld();
        for (int i = 0; i < 32; i++) {
          // Each on a connection of its own, so that every event loop has some.
          try (RawClient other = new RawClient(served.server.port(), 60_000)) {
            send(other, "/account/a", "");
            assertThat(other.read(false)).extracting("status").isEqualTo(200);
          }
        }
        assertThat(first).isNotDone();
      } finally {
        signatures.goOn();
      }
      assertThat(remaining(first.get())).as("ann herself").isEqualTo(999);
    }
  }

  @Test
  void requestContinuesOnItsEventLoop() throws Exception {
    List<Thread> asking = new CopyOnWriteArrayList<>();
    Store store =
        new Store() {
          private final MemoryStore memory = new MemoryStore();

          @Override
          public Answer apply(Operation operation, List<Claim> claims) {
            if (operation == Operation.TAKE) {
              asking.add(Thread.currentThread());
            }
            return memory.apply(operation, claims);
          }
        };
    try (TestServer served = TestServer.at(rules(), still, store)) {
      for (int i = 0; i < 8; i++) {
        try (RawClient client = new RawClient(served.server.port(), 60_000)) {
          asking.clear();
          send(client, "/account/a", "");
          assertThat(client.read(false)).extracting("status").isEqualTo(200);
          Thread began = asking.get(0);
          assertThat(began.getName()).startsWith("vert.x-eventloop");
          send(client, "/account/a", "Authorization: Bearer " + tokens.es256("user-" + i) + "\r\n");
          assertThat(client.read(false)).extracting("status").isEqualTo(200);
          assertThat(client.header("x-ratelimit-remaining")).isEqualTo("999");
          assertThat(asking).hasSizeGreaterThan(1).containsOnly(began);
        }
      }
      assertThat(signatures.verifying()).hasSize(8);
    }
  }

  @Test
  void explainVerifiesTokensOffTheEventLoop() {
    try (TestServer served = TestServer.at(rules(), still)) {
      JsonObject request =
          new JsonObject()
              .put("method", "GET")
              .put("target", "/account/a")
              .put("headers", new JsonArray().add("Authorization: Bearer " + tokens.es256("ann")));
      String question = new JsonObject().put("request", request).encode();
      for (String path : List.of("/explain", "/reset")) {
        HttpResponse<String> answer = served.admin("POST", path, question);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      }
      assertThat(served.admin("POST", "/explain", question).body()).contains("\"value\":\"ann\"");
      assertThat(signatures.verifying())
          .hasSize(1)
          .allMatch(one -> !one.getName().startsWith("vert.x-eventloop"));
    }
  }

  /** Eight at a time, so that all are verified: none is rejected for lack of room. */
  private void flood(TestServer served, int count) {
    List<CompletableFuture<HttpResponse<String>>> pending = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HttpRequest request = request(served, "/account/x", FORGER, tokens.forged());
      pending.add(served.client.sendAsync(request, BodyHandlers.ofString()));
      if (pending.size() == 8 || i == count - 1) {
        pending.forEach(one -> assertThat(one.join().statusCode()).isIn(200, 429));
        pending.clear();
      }
    }
  }

  private static void send(RawClient client, String path, String headers) throws IOException {
    String request = "GET /v1/check" + path + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
    client.send(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static HttpRequest request(TestServer served, String path, String client, String token) {
    return HttpRequest.newBuilder(served.uri("/v1/check" + path))
        .headers("X-Forwarded-For", client, "Authorization", "Bearer " + token)
        .build();
  }

  private static HttpResponse<String> ask(
      TestServer served, String path, String client, String token) {
    return served.send(request(served, path, client, token));
  }

  private static int remaining(HttpResponse<String> response) {
    return Integer.parseInt(CheckTest.header(response, "X-RateLimit-Remaining"));
  }

  private static String limit(HttpResponse<String> response) {
    return CheckTest.header(response, "X-RateLimit-Limit");
  }

  private static long counted(TestServer served, String event) {
    return served.watch.current().reader().meters().counts().getOrDefault(event, -1L);
  }
}

package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.MutatedRequests.Framed;
import dev.weir.server.RawClient.Response;
import dev.weir.testkit.Effort;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The server answers any input with a decision or an error, and keeps running. */
class FuzzTest {
  private static final int REQUESTS = Effort.of(20_000, 100_000);
  private static final int CLIENTS = 4;
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final long SEED = Long.getLong("weir.seed", System.nanoTime());
  private static final String RULES =
      """
      trusted-proxies: [127.0.0.0/8]
      jwt: {secret-env: JWT_SECRET}
      identity: {key: header X-Key, who: [jwt sub, cookie session, key, ip]}
      tiers: {free: 5/second, pro: 500/second, closed: blocked}
      rules:
        - {name: each, per: [who, path, host, method], limit: 3/second}
        - {name: plan, per: key, tier: header X-Plan, default-tier: pro}
        - {name: login, match: {path: /login}, per: ip, limit: 1/second, algorithm: sliding-log}
        - {name: tokens, match: {entry: {tenant: "*"}}, limit: 9/second}
        - {name: cost, limit: 9000/second, cost: {from: header X-Tokens, max: 40}}
        - {name: flow, match: {path: /a/**}, limit: 5/second, algorithm: leaky-bucket, queue: 5}
        - {name: flight, match: {path: /slow}, concurrent: 3}
      """;

  private final LongAdder answered = new LongAdder();
  private final LongAdder allowed = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder brokenAnswered = new LongAdder();

  @Test
  void mutatedRequestsGetADecisionOrAnError() throws Exception {
    try (TestServer served = TestServer.with(RULES)) {
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(SEED + i);
        // The administrators' port gets a quarter.
        boolean admin = i == 0;
        int port = admin ? served.server.adminPort() : served.server.port();
        clients.add(threads.submit(client(port, new MutatedRequests(random), random, admin)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
      threads.shutdown();
      assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(served.get("/v1/check/", "X-Key", "clean").statusCode()).isEqualTo(200);
      assertThat(served.decide("{\"values\": {\"path\": \"/clean\"}}").getBoolean("allowed"))
          .isTrue();
      assertThat(served.admin("GET", "/metrics", "").statusCode()).isEqualTo(200);
    }
    assertThat(answered.sum() + broken.sum()).isGreaterThanOrEqualTo(REQUESTS);
    // Some requests are rejected and some are answered.
    assertThat(allowed.sum()).isGreaterThan(REQUESTS / 20);
    assertThat(brokenAnswered.sum()).isGreaterThan(broken.sum() / 2);
  }

  private Callable<Boolean> client(
      int port, MutatedRequests mutants, Random random, boolean admin) {
    return () -> {
      RawClient client = null;
      for (int sent = 0; sent < REQUESTS / CLIENTS; ) {
        if (random.nextInt(100) < 40) {
          broken(port, mutants.broken(admin));
          sent++;
          continue;
        }
        Deque<Framed> pending = new ArrayDeque<>();
        for (int i = 1 + random.nextInt(12); i > 0; i--) {
          pending.add(mutants.framed(admin));
        }
        sent += pending.size();
        while (!pending.isEmpty()) {
          client = pipelined(client, port, pending);
        }
      }
      if (client != null) {
        client.close();
      }
      return true;
    };
  }

  /**
   * Sends all, and reads until all are answered or the server closes; it may, behind an answer.
   *
   * @return the connection, if it is still open
   */
  private @Nullable RawClient pipelined(@Nullable RawClient open, int port, Deque<Framed> pending)
      throws IOException {
    RawClient client = open == null ? new RawClient(port, TIMEOUT_MILLIS) : open;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pending.forEach(one -> all.writeBytes(one.bytes()));
    int before = pending.size();
    try {
      client.send(all.toByteArray());
      while (!pending.isEmpty()) {
        Response response = client.read(pending.element().head());
        if (response == null) {
          break;
        }
        check(response, pending.remove());
        answered.increment();
      }
    } catch (java.net.SocketTimeoutException e) {
      throw failure("no answer", pending.element().bytes(), e);
    } catch (IOException e) {
      if (before == 1 && open == null) {
        throw failure("no answer but " + e, pending.element().bytes(), e);
      }
      // What came behind a request that ended the connection is sent anew, alone at last.
    }
    if (pending.isEmpty()) {
      return client;
    }
    client.close();
    if (pending.size() == before && open == null) {
      throw failure("closed without an answer", pending.element().bytes(), null);
    }
    return null;
  }

  private void check(Response response, Framed request) {
    if (response.status() == 200) {
      allowed.increment();
    } else if (response.status() < 400 || response.status() > 499) {
      throw failure("status " + response.status(), request.bytes(), null);
    } else if (response.bodyBytes() == 0 && !request.head()) {
      throw failure("no reason with " + response.status(), request.bytes(), null);
    }
  }

  /** Half a request may be left without an answer, but not hang once there is no more to come. */
  private void broken(int port, byte[] request) throws IOException {
    broken.increment();
    boolean head = new String(request, StandardCharsets.ISO_8859_1).startsWith("HEAD ");
    try (RawClient client = new RawClient(port, TIMEOUT_MILLIS)) {
      client.send(request);
      client.finish();
      Response response = client.read(head);
      if (response != null) {
        check(response, new Framed(Buffer.buffer(request), true));
        brokenAnswered.increment();
      }
    } catch (java.net.SocketTimeoutException e) {
      throw failure("no end", request, e);
    } catch (IOException e) {
      // Closed while we were still sending.
    }
  }

  private static AssertionError failure(String what, byte[] request, @Nullable Throwable cause) {
    String shown = new String(request, StandardCharsets.ISO_8859_1);
    String text = shown.length() > 2_000 ? shown.substring(0, 2_000) + "…" : shown;
    return new AssertionError(what + ", with -Dweir.seed=" + SEED + ":\n" + text, cause);
  }
}

package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.gateway.cost.SimulatedProvider;
import dev.weir.gateway.cost.SimulatedProvider.Fate;
import dev.weir.gateway.cost.Usage;
import dev.weir.rule.PriceTable.Price;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Parallel streams of a simulated provider through a gateway, over HTTP: three of ten are aborted
 * by the client before their usage, and one of ten has none. What Redis has counted is never below
 * what the provider bills.
 */
@Timeout(600)
class LlmStreamsTest {
  private static final int STREAMS = 50;
  private static final String ID = "X-Stream";
  private static final String RULES =
      """
      identity: {caller: header X-Caller}
      prices: {"gpt-4o*": {input: 2.50, output: 10.00}}
      rules:
        - {name: tokens, match: {path: /v1/**}, per: caller, limit: 1000000000/day,
           algorithm: fixed-window, cost: {llm: tokens}}
        - {name: dollars, match: {path: /v1/**}, per: caller, limit: 1000000000/day,
           algorithm: fixed-window, cost: {llm: micro-dollars}}
      lint-ignore: forgeable-key
      """;
  private static final Price PRICE = new Price(2_500_000, 10_000_000);

  private final RedisServer redis = RedisServer.start();
  private final RedisCounters counters = RedisCounters.at(redis.port());
  private final Map<String, Stream> streams = new ConcurrentHashMap<>();
  private final ScriptedUpstream upstream = ScriptedUpstream.that(this::answer);

  /** A stream, all bytes of which are known before it is sent. */
  private record Stream(SimulatedProvider provider, List<byte[]> chunks) {
    static Stream of(SimulatedProvider provider) {
      List<byte[]> chunks = new ArrayList<>();
      provider.send((bytes, from, to) -> chunks.add(Arrays.copyOfRange(bytes, from, to)));
      return new Stream(provider, chunks);
    }

    int length() {
      return chunks.stream().mapToInt(chunk -> chunk.length).sum();
    }
  }

  @AfterEach
  void stop() throws IOException {
    upstream.close();
    counters.close();
    redis.close();
  }

  private void answer(ScriptedUpstream.Received request, Socket socket) throws IOException {
    Stream stream = streams.get(request.values(ID).get(0));
    if (stream == null) {
      throw new IOException("not a stream of this test: " + request);
    }
    ScriptedUpstream.write(
        socket,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (byte[] chunk : stream.chunks()) {
      String text = new String(chunk, StandardCharsets.ISO_8859_1);
      ScriptedUpstream.write(socket, Integer.toHexString(chunk.length) + "\r\n" + text + "\r\n");
    }
    if (stream.provider().fate == Fate.ABORTED) {
      // It has more to say, but the client goes away once it has read this.
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      socket.close();
    } else {
      ScriptedUpstream.write(socket, "0\r\n\r\n");
    }
  }

  @Test
  void ledgerIsNeverBelowWhatTheProviderBills() {
    RuleBook book = book(RULES);
    try (TestGateway gateway = TestGateway.on(counters, RULES, upstream.url())) {
      Seeds.run(
          random -> {
            for (int round = 0; round < Effort.of(2, 40); round++) {
              run(gateway, book, round, random);
            }
          });
    }
  }

  private void run(TestGateway gateway, RuleBook book, int round, SplittableRandom random)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(STREAMS);
    try {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        String id = round + "-" + i;
        Stream stream = Stream.of(new SimulatedProvider(fate(i), random.split()));
        streams.put(id, stream);
        clients.add(threads.submit(() -> read(gateway, id, caller(round, fate(id)), stream)));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    } finally {
      threads.shutdownNow();
    }
    // What a request settles is on its way to Redis, in order, before it leaves the gateway.
    gateway.awaitInFlight(0);
    for (Fate fate : Fate.values()) {
      check(book, round, fate);
    }
  }

  private void check(RuleBook book, int round, Fate fate) {
    long tokens = 0;
    long dollars = 0;
    for (int i = 0; i < STREAMS; i++) {
      Stream stream = streams.get(round + "-" + i);
      if (stream != null && stream.provider().fate == fate) {
        Usage billed = stream.provider().billed();
        tokens += billed.inputTokens() + billed.outputTokens();
        dollars += PRICE.cost(billed.inputTokens(), billed.outputTokens());
      }
    }
    List<Long> used = used(book, caller(round, fate));
    assertThat(used.get(0)).as("%s: tokens", fate).isGreaterThanOrEqualTo(tokens);
    assertThat(used.get(1)).as("%s: micro-dollars", fate).isGreaterThanOrEqualTo(dollars);
    if (fate == Fate.COMPLETE) {
      assertThat(used).as("stated usage, to the token").containsExactly(tokens, dollars);
    }
  }

  /** Reads a stream; one to be aborted up to the last byte that was sent of it. */
  private static Void read(TestGateway gateway, String id, String caller, Stream stream)
      throws Exception {
    HttpResponse<InputStream> response =
        gateway.client.send(
            gateway
                .request(stream.provider().path())
                .header(ID, id)
                .header("X-Caller", caller)
                .POST(BodyPublishers.ofString(stream.provider().body))
                .build(),
            BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    try (InputStream body = response.body()) {
      assertThat(body.readNBytes(stream.length())).hasSize(stream.length());
      if (stream.provider().fate != Fate.ABORTED) {
        assertThat(body.read()).isEqualTo(-1);
      }
    }
    return null;
  }

  /** Three of ten are aborted, and one of ten has no usage. */
  private static Fate fate(int stream) {
    return stream % 10 < 3 ? Fate.ABORTED : stream % 10 == 3 ? Fate.WITHOUT_USAGE : Fate.COMPLETE;
  }

  private static Fate fate(String id) {
    return fate(Integer.parseInt(id.substring(id.indexOf('-') + 1)));
  }

  private static String caller(int round, Fate fate) {
    return fate + "-" + round;
  }

  private RuleBook book(String rules) {
    try {
      return new RulesLoader(counters.keys(), Map.of())
          .forGateway(false)
          .load(List.of(RulesText.of("rules", rules)))
          .book();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What Redis has counted for a caller, in the order of the rules. */
  private List<Long> used(RuleBook book, String caller) {
    Descriptor values =
        Descriptor.of(Map.of("path", "/v1/messages", "header x-caller", caller, "model", "gpt-4o"));
    List<Claim> claims =
        book.match(values).claims().stream().map(claim -> claim.withCost(0)).toList();
    assertThat(claims).hasSizeGreaterThan(0);
    List<Decision> now = counters.config().store().peek(claims).join().each();
    List<Long> used = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      used.add(claims.get(i).limit().capacity() - now.get(i).remaining() + now.get(i).debt());
    }
    return used;
  }

  @Test
  void spentBudgetDenies() {
    String rules =
        """
        identity: {caller: header X-Caller}
        rules:
          - {name: tokens, match: {path: /v1/**}, per: caller, limit: 10000/day,
             algorithm: fixed-window, cost: {llm: tokens}}
        lint-ignore: forgeable-key
        """;
    RuleBook book = book(rules);
    try (TestGateway gateway = TestGateway.on(counters, rules, upstream.url())) {
      Seeds.run(
          random -> {
            long billed = 0;
            int status = 200;
            for (int i = 0; status == 200; i++) {
              Stream stream = Stream.of(new SimulatedProvider(Fate.COMPLETE, random.split()));
              streams.put("spent-" + i, stream);
              int before = upstream.received.size();
              HttpResponse<String> response =
                  gateway.send(
                      gateway
                          .request(stream.provider().path())
                          .header(ID, "spent-" + i)
                          .header("X-Caller", "spender")
                          .POST(BodyPublishers.ofString(stream.provider().body)));
              status = response.statusCode();
              assertThat(status).isIn(200, 429);
              assertThat(upstream.received).hasSize(before + (status == 200 ? 1 : 0));
              if (status == 200) {
                Usage usage = stream.provider().billed();
                billed += usage.inputTokens() + usage.outputTokens();
                gateway.awaitInFlight(0);
              } else {
                assertThat(response.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isPositive();
              }
              assertThat(used(book, "spender")).containsExactly(billed);
            }
            assertThat(billed).as("denied only for lack of room").isGreaterThan(10_000 - 2_500);
          });
    }
  }
}

package dev.weir.http.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.sun.net.httpserver.HttpServer;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.ManualClock;
import dev.weir.http.Readers;
import dev.weir.http.Tokens;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys at a URL that change, or cannot be fetched, while requests go on. */
class JwksTest {
  private static final Descriptor.Names SUB = Descriptor.Names.of(List.of("jwt sub"));

  private final ManualClock clock = new ManualClock();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger fetches = new AtomicInteger();
  private HttpServer server;
  private volatile int status = 200;
  private volatile String jwks = Tokens.jwks(Tokens.RSA);

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          fetches.incrementAndGet();
          byte[] body = jwks.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Location", "http://127.0.0.1/elsewhere");
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    executor.shutdownNow();
    server.stop(0);
  }

  @Test
  void keysAreFetchedInTheBackground() throws Exception {
    try (HttpReader reader = urlReader()) {
      FakeRequest request = signedWith(Tokens.RSA);
      executor.submit(() -> {}).get();
      assertThat(reader.read(request).value(0)).isEqualTo("ann");
      assertThat(reader.meters().of(Event.JWKS_LOADED)).isOne();
    }
  }

  @Test
  void failedFetchIsRetriedAfterHalfAMinuteAndClaimsAreAbsentMeanwhile() throws Exception {
    status = 500;
    try (HttpReader reader = urlReader()) {
      executor.submit(() -> {}).get();
      FakeRequest request = signedWith(Tokens.RSA);
      assertThat(reader.read(request).value(0)).isNull();
      assertThat(reader.meters().of(Event.JWT_NO_KEYS)).isOne();
      assertThat(reader.meters().of(Event.JWKS_FAILED)).isOne();
      status = 200;
      clock.pass(Duration.ofSeconds(30));
      assertThat(reader.read(request).value(0))
          .as("the request does not wait for the fetch")
          .isNull();
      executor.submit(() -> {}).get();
      assertThat(reader.read(request).value(0)).isEqualTo("ann");
    }
  }

  @Test
  void anUnknownKeyIsFetchedAtMostOnceInHalfAMinute() throws Exception {
    try (HttpReader reader = urlReader()) {
      executor.submit(() -> {}).get();
      FakeRequest request = signedWith(Tokens.OTHER_RSA);
      jwks = Tokens.jwks(Tokens.RSA, Tokens.OTHER_RSA);
      for (int i = 0; i < 29; i++) {
        assertThat(reader.read(request).value(0)).isNull();
        clock.pass(Duration.ofSeconds(1));
      }
      executor.submit(() -> {}).get();
      assertThat(fetches).hasValue(1);
      clock.pass(Duration.ofSeconds(11));
      assertThat(reader.read(request).value(0)).isNull();
      executor.submit(() -> {}).get();
      assertThat(fetches).hasValue(2);
      assertThat(reader.read(request).value(0))
          .as("new keys invalidate the cached rejection")
          .isEqualTo("ann");
    }
  }

  @Test
  void removedKeyInvalidatesCachedTokens() throws Exception {
    try (HttpReader reader = urlReader()) {
      executor.submit(() -> {}).get();
      FakeRequest request = signedWith(Tokens.RSA);
      assertThat(reader.read(request).value(0)).isEqualTo("ann");
      jwks = Tokens.jwks(Tokens.EC);
      clock.pass(Duration.ofSeconds(30));
      reader.read(signedWith(Tokens.OTHER_RSA)); // causes a fetch
      executor.submit(() -> {}).get();
      assertThat(reader.read(request).value(0)).isNull();
    }
  }

  @Test
  void invalidResponseLeavesTheKeysUnchanged() throws Exception {
    try (HttpReader reader = urlReader()) {
      executor.submit(() -> {}).get();
      FakeRequest request = signedWith(Tokens.RSA);
      OctetSequenceKey secret = new OctetSequenceKey.Builder(Tokens.SECRET).keyID("s").build();
      String[] responses = {
        "",
        "[]",
        "{\"keys\":[]}",
        "{\"keys\":[" + secret.toJSONString() + "]}",
        Tokens.jwks(Tokens.rsa("weak", 1024)),
        "{\"keys\":" + "[".repeat(200_000),
        "{\"keys\":" + "{\"a\":".repeat(50_000),
        " ".repeat(262_145) + jwks
      };
      int failed = 0;
      for (String response : responses) {
        jwks = response;
        clock.pass(Duration.ofSeconds(30));
        reader.read(signedWith(Tokens.OTHER_RSA));
        executor.submit(() -> {}).get();
        assertThat(reader.meters().of(Event.JWKS_FAILED)).as(response.strip()).isEqualTo(++failed);
        assertThat(reader.read(request).value(0)).isEqualTo("ann");
      }
      jwks = Tokens.jwks(Tokens.OTHER_RSA);
      status = 302;
      clock.pass(Duration.ofSeconds(30));
      reader.read(signedWith(Tokens.EC));
      executor.submit(() -> {}).get();
      assertThat(reader.meters().of(Event.JWKS_FAILED)).as("redirected").isEqualTo(++failed);
    }
  }

  @Test
  void readerWithOtherSettingsSharesTheKeySource() throws Exception {
    HttpReader before = urlReader();
    executor.submit(() -> {}).get();
    HttpSettings others = Readers.trusting("10.0.0.0/8").withJwt(JwtSettings.of(keys("/jwks")));
    try (HttpReader after = before.reconfigured(others, SUB)) {
      before.closeExceptSharedWith(after);
      assertThat(after.awaitKeys(Duration.ZERO)).isTrue();
      assertThat(after.read(signedWith(Tokens.RSA)).value(0)).isEqualTo("ann");
      jwks = Tokens.jwks(Tokens.OTHER_RSA);
      clock.pass(Duration.ofSeconds(30));
      after.read(signedWith(Tokens.OTHER_RSA));
      executor.submit(() -> {}).get();
      assertThat(fetches).hasValue(2);
      assertThat(after.read(signedWith(Tokens.OTHER_RSA)).value(0)).isEqualTo("ann");
    }
  }

  @Test
  void readerWithAnotherKeyUrlLeavesThePreviousReaderItsKeys() throws Exception {
    HttpReader before = urlReader();
    executor.submit(() -> {}).get();
    jwks = Tokens.jwks(Tokens.OTHER_RSA);
    HttpSettings others = HttpSettings.DEFAULT.withJwt(JwtSettings.of(keys("/elsewhere")));
    try (HttpReader after = before.reconfigured(others, SUB)) {
      assertThat(after.awaitKeys(Duration.ofSeconds(10))).isTrue();
      before.closeExceptSharedWith(after);
      assertThat(after.read(signedWith(Tokens.OTHER_RSA)).value(0)).isEqualTo("ann");
      clock.pass(Duration.ofSeconds(30));
      assertThat(before.read(signedWith(Tokens.OTHER_RSA)).value(0)).isNull();
      assertThat(before.read(signedWith(Tokens.RSA)).value(0)).isEqualTo("ann");
      executor.submit(() -> {}).get();
      assertThat(fetches).as("one for each URL, none for the closed reader").hasValue(2);
    }
  }

  @Test
  void awaitKeysEndsOnFailureAndOnTimeout() {
    status = 500;
    try (HttpReader reader = urlReader()) {
      assertThat(reader.awaitKeys(Duration.ofSeconds(10))).as("fetch failed").isFalse();
    }
    ScheduledExecutorService stuck = Executors.newSingleThreadScheduledExecutor();
    stuck.execute(() -> await(new CountDownLatch(1)));
    JwtSettings tokens = JwtSettings.of(keys("/jwks"));
    try (HttpReader reader =
        new HttpReader(HttpSettings.DEFAULT.withJwt(tokens), SUB, clock, stuck)) {
      assertThat(reader.awaitKeys(Duration.ofMillis(10))).as("timed out").isFalse();
    } finally {
      stuck.shutdownNow();
    }
    assertThat(Readers.reader(HttpSettings.DEFAULT, "ip").awaitKeys(Duration.ZERO))
        .as("none needed")
        .isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void closingAReaderEndsItsOwnThread() throws Exception {
    HttpReader reader =
        new HttpReader(HttpSettings.DEFAULT.withJwt(JwtSettings.of(keys("/jwks"))), SUB);
    Thread thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> t.getName().equals("weir-jwks"))
            .findFirst()
            .orElseThrow();
    assertThat(thread.isDaemon()).isTrue();
    reader.close();
    thread.join(10_000);
    assertThat(thread.isAlive()).isFalse();
    assertThat(reader.read(signedWith(Tokens.OTHER_RSA)).value(0)).isNull();
  }

  private HttpReader urlReader() {
    JwtSettings settings = JwtSettings.of(keys("/jwks"));
    return new HttpReader(HttpSettings.DEFAULT.withJwt(settings), SUB, clock, executor);
  }

  private JwtKeys keys(String path) {
    return JwtKeys.url(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
  }

  private static FakeRequest signedWith(JWK key) {
    JWSAlgorithm algorithm = key.equals(Tokens.EC) ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256;
    return FakeRequest.get("/").bearer(Tokens.sign(key, algorithm, Tokens.ann().build()));
  }
}

package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.weir.http.HttpMeters.Event;
import dev.weir.rules.source.RulesFileWatcher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens are verified and counted across reloads of the rules. */
class ReloadedTokensTest extends ReloadTestBase {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Map<String, ECKey> keys = new ConcurrentHashMap<>();
  private HttpServer server;

  @SuppressWarnings("NullAway.Init")
  ReloadedTokensTest() {}

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          ECKey key = keys.get(exchange.getRequestURI().getPath());
          String jwks = key == null ? "none" : new JWKSet(key).toString(true);
          byte[] body = jwks.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(key == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void keysAndMetersSurviveAChangeOfOtherSettings() throws Exception {
    ECKey key = key("/a");
    write(file, jwt("/a") + perUser("one"));
    RulesFileWatcher watch = watch(file);
    assertThat(watch.current().reader().awaitKeys(LONG)).isTrue();
    assertThat(sub(watch, token(key))).isEqualTo("ann");
    assertThat(sub(watch, "forged")).isNull();
    server.stop(0);
    write(file, "trusted-proxies: 10.0.0.0/8\n" + jwt("/a") + perUser("one"));
    settle(watch);
    assertThat(watch.status().reloads()).isEqualTo(1);
    assertThat(sub(watch, token(key))).isEqualTo("ann");
    assertThat(sub(watch, "forged")).isNull();
    var meters = watch.current().reader().meters();
    assertThat(meters.of(Event.JWT_MALFORMED)).isEqualTo(2);
    assertThat(meters.of(Event.JWKS_LOADED)).isEqualTo(1);
    assertThat(meters.of(Event.JWT_NO_KEYS)).isZero();
  }

  @Test
  void newKeysAreLoadedBeforeTheRulesThatNeedThem() throws Exception {
    ECKey first = key("/a");
    ECKey second = key("/b");
    write(file, jwt("/a") + perUser("one"));
    RulesFileWatcher watch = watch(file);
    assertThat(watch.current().reader().awaitKeys(LONG)).isTrue();
    RulesSnapshot before = watch.current();
    assertThat(sub(watch, token(first))).isEqualTo("ann");
    write(file, jwt("/b") + perUser("one"));
    awaitReload(watch);
    assertThat(sub(watch, token(second))).isEqualTo("ann");
    assertThat(sub(watch, token(first))).isNull();
    assertThat(before.reader().read(request(token(first))).value("jwt sub"))
        .as("a request that still uses the version before")
        .isEqualTo("ann");
    assertThat(watch.current().reader().meters().of(Event.JWT_NO_KEYS)).isZero();
  }

  @Test
  void rulesWhoseKeysCannotBeLoadedAreRefusedAndRetried() throws Exception {
    ECKey key = key("/a");
    write(file, jwt("/a") + perUser("one"));
    RulesFileWatcher watch = watch(file);
    assertThat(watch.current().reader().awaitKeys(LONG)).isTrue();
    write(file, jwt("/b") + perUser("two"));
    for (int i = 0; i < 3; i++) {
      settle(watch);
      advance(RulesFileWatcher.RETRY);
    }
    assertThat(names(watch)).containsExactly("one");
    assertThat(sub(watch, token(key))).isEqualTo("ann");
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems())
        .containsExactly(
            file
                + ": jwt: the public keys at "
                + url("/b")
                + ": none yet (expected: keys within 2 seconds)");
    assertThat(errors()).hasSize(1);
    ECKey late = key("/b");
    awaitReload(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(sub(watch, token(late))).isEqualTo("ann");
    assertThat(watch.status().problems()).isEmpty();
  }

  @Test
  void rulesDoNotWaitForKeysIfThereWereNoneBefore() throws Exception {
    write(file, jwt("/nowhere") + perUser("one"));
    RulesFileWatcher watch = watch(file);
    assertThat(names(watch)).containsExactly("one");
    assertThat(lastMessage()).endsWith("tokens count as absent until then");
    write(file, jwt("/nowhere") + perUser("two"));
    settle(watch);
    assertThat(names(watch)).as("there are no keys to lose").containsExactly("two");
    ECKey key = key("/somewhere");
    write(file, jwt("/somewhere") + perUser("three"));
    settle(watch);
    assertThat(names(watch)).containsExactly("three");
    assertThat(watch.current().reader().awaitKeys(LONG)).isTrue();
    assertThat(sub(watch, token(key))).isEqualTo("ann");
  }

  /** Retries on a busy machine: keys that did not arrive in time are requested again. */
  private void awaitReload(RulesFileWatcher watch) {
    long before = watch.status().reloads();
    for (int i = 0; i < 20 && watch.status().reloads() == before; i++) {
      settle(watch);
      advance(RulesFileWatcher.RETRY);
    }
    assertThat(watch.status().reloads()).as(watch.status().toString()).isEqualTo(before + 1);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private String jwt(String path) {
    return "jwt: {jwks: \"" + url(path) + "\"}\n";
  }

  private static String perUser(String name) {
    return "rules: [{name: " + name + ", per: jwt sub, limit: 1/s}]\n";
  }

  private ECKey key(String path) throws JOSEException {
    ECKey key = new ECKeyGenerator(Curve.P_256).keyID(path).generate();
    keys.put(path, key);
    return key;
  }

  private String token(ECKey key) throws JOSEException {
    Date end = Date.from(now.plus(Duration.ofHours(1)));
    JWTClaimsSet claims = new JWTClaimsSet.Builder().subject("ann").expirationTime(end).build();
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build();
    SignedJWT token = new SignedJWT(header, claims);
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }

  private static FakeRequest request(String token) {
    return FakeRequest.get("/").with("Authorization", "Bearer " + token);
  }

  private static @Nullable String sub(RulesFileWatcher watch, String token) {
    return watch.current().reader().read(request(token)).value("jwt sub");
  }
}

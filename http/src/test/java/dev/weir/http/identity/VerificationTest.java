package dev.weir.http.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import dev.weir.Descriptor;
import dev.weir.http.FakeRequest;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.Tokens;
import dev.weir.http.jwt.JwtKeys;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.jwt.VerificationPool;
import dev.weir.http.jwt.VerificationPools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When tokens are verified, on which thread, and how many are queued. */
class VerificationTest extends VerificationFixture {
  @Test
  void newTokenIsNotVerifiedUntilItsClaimsAreRequested() {
    RequestValues values = reader.open(from("192.0.2.1", honest("ann")));
    assertThat(values.isUnverified()).isTrue();
    assertThat(values.values().value("path")).isEqualTo("/");
    assertThat(values.values().value("jwt sub")).isNull();
    assertThat(count(Event.JWT_CACHE_MISS)).isZero();
    assertThat(values.verify().value("jwt sub")).isEqualTo("ann");
    assertThat(values.verify().value("path")).isEqualTo("/");
    assertThat(count(Event.JWT_CACHE_MISS)).isOne();
    RequestValues without = reader.open(FakeRequest.get("/"));
    assertThat(without.isUnverified()).isFalse();
    assertThat(count(Event.JWT_MISSING)).isOne();
  }

  @Test
  void asyncVerificationRunsOnThePoolAndCachedTokenNeedsNone() {
    String token = honest("ann");
    CompletableFuture<Descriptor> first = verifyAsync("192.0.2.1", token);
    CompletableFuture<Descriptor> second = verifyAsync("192.0.2.9", token);
    assertThat(first).isNotDone();
    assertThat(queue).as("one verification for both").hasSize(1);
    assertThat(count(Event.JWT_CACHE_MISS)).isZero();
    runAll();
    assertThat(first.join().value("jwt sub")).isEqualTo("ann");
    assertThat(second.join().value("jwt sub")).isEqualTo("ann");
    assertThat(count(Event.JWT_CACHE_MISS)).isOne();
    RequestValues known = reader.open(from("192.0.2.1", token));
    assertThat(known.isUnverified()).isFalse();
    assertThat(known.values().value("jwt sub")).isEqualTo("ann");
    assertThat(known.verifyAsync().toCompletableFuture().join()).isEqualTo(known.values());
    assertThat(queue).isEmpty();
  }

  @Test
  void forgedTokenIsVerifiedOnceWhileItsRejectionIsCached() {
    String token = forged();
    for (int i = 0; i < 50; i++) {
      var unused = verifyAsync("192.0.2.1", token);
    }
    runAll();
    assertThat(sub("192.0.2.1", token)).isNull();
    assertThat(count(Event.JWT_CACHE_MISS)).isOne();
    assertThat(count(Event.JWT_BAD_SIGNATURE)).as("counted for each request").isEqualTo(51);
    clock.pass(Duration.ofSeconds(10));
    assertThat(sub("192.0.2.1", token)).isNull();
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(2);
  }

  @Test
  void tokenIsUnusableAndNotCachedWhenTheQueueIsFull() {
    queueCapacity = 2;
    var unused =
        List.of(verifyAsync("192.0.2.1", honest("a")), verifyAsync("192.0.2.2", honest("b")));
    String token = honest("ann");
    Descriptor rejected = verifyAsync("192.0.2.3", token).join();
    assertThat(Descriptor.isUnusable(rejected.value("jwt sub"))).isTrue();
    assertThat(rejected.value("path")).isEqualTo("/");
    assertThat(count(Event.JWT_QUEUE_FULL)).isOne();
    runAll();
    assertThat(verifyAsync("192.0.2.3", token)).as("requested again").isNotDone();
    assertThat(queue).hasSize(1);
  }

  @Test
  void noAddressTakesUpTheRoomOfOthers() {
    String known = honest("ann");
    assertThat(sub("192.0.2.1", known)).isEqualTo("ann");
    clock.pass(Duration.ofMinutes(6)); // no longer cached
    List<CompletableFuture<Descriptor>> tokens = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      tokens.add(verifyAsync("192.0.2.1", i % 2 == 0 ? honest("user-" + i) : forged()));
    }
    assertThat(queue).hasSize(VerificationPools.maxPerClient());
    assertThat(count(Event.JWT_QUEUE_FULL)).isEqualTo(92);
    assertThat(tokens.get(99).getNow(null))
        .isNotNull()
        .satisfies(read -> assertThat(read.value("jwt sub")).isSameAs(Descriptor.UNUSABLE));
    CompletableFuture<Descriptor> again = verifyAsync("192.0.2.1", known);
    CompletableFuture<Descriptor> other = verifyAsync("192.0.2.2", honest("bob"));
    runAll();
    assertThat(again.join().value("jwt sub")).as("accepted before").isEqualTo("ann");
    assertThat(other.join().value("jwt sub")).isEqualTo("bob");
    assertThat(tokens.get(0).join().value("jwt sub")).isEqualTo("user-0");
    assertThat(verifyAsync("192.0.2.1", honest("eve"))).as("admitted again").isNotDone();
    runAll();
    assertThat(VerificationPools.pendingAddresses(reader.verifications()))
        .as("addresses kept")
        .isZero();
  }

  @Test
  void tokenThatWaitedTooLongIsNeitherVerifiedNorCached() {
    String token = honest("ann");
    CompletableFuture<Descriptor> late = verifyAsync("192.0.2.1", token);
    clock.pass(VerificationPool.MAX_WAIT);
    CompletableFuture<Descriptor> inTime = verifyAsync("192.0.2.2", honest("bob"));
    clock.pass(Duration.ofMillis(1));
    runAll();
    assertThat(Descriptor.isUnusable(late.join().value("jwt sub"))).isTrue();
    assertThat(count(Event.JWT_QUEUE_FULL)).isOne();
    assertThat(inTime.join().value("jwt sub")).isEqualTo("bob");
    assertThat(count(Event.JWT_CACHE_MISS)).as("signatures verified").isOne();
    CompletableFuture<Descriptor> again = verifyAsync("192.0.2.1", token);
    runAll();
    assertThat(again.join().value("jwt sub")).isEqualTo("ann");
    assertThat(VerificationPools.pendingAddresses(reader.verifications())).isZero();
  }

  @Test
  void spellingsOfAGenuineTokenAreNotVerified() {
    String token = honest("ann");
    int dot = token.lastIndexOf('.') + 1;
    for (int i = 1; i <= 300; i++) {
      String respelled =
          switch (i % 5) {
            case 0 -> token + "!".repeat(i);
            case 1 -> token + "=".repeat(i);
            case 2 -> token.substring(0, dot) + " ".repeat(i) + token.substring(dot);
            case 3 -> token + (char) (0x80 + i);
            default -> token.substring(0, dot + 9) + "\t".repeat(i) + token.substring(dot + 9);
          };
      CompletableFuture<Descriptor> read = verifyAsync("192.0.2.1", respelled);
      runAll();
      assertThat(read.join().value("jwt sub")).as(respelled).isSameAs(Descriptor.UNUSABLE);
    }
    assertThat(count(Event.JWT_CACHE_MISS)).isZero();
    assertThat(count(Event.JWT_MALFORMED)).isEqualTo(300);
    assertThat(sub("192.0.2.1", token)).isEqualTo("ann");
  }

  @Test
  void aTokenCostsAsMuchOfTheBudgetAsKeysHadToBeTried(@TempDir Path folder) throws Exception {
    ECKey[] keys = new ECKey[10];
    Arrays.setAll(keys, i -> Tokens.ec("ec-" + i));
    Path jwks = Files.writeString(folder.resolve("many.json"), Tokens.jwks(keys));
    JwtSettings tokens = JwtSettings.of(JwtKeys.file(jwks));
    reader = reader.reconfigured(reader.settings().withJwt(tokens), NAMES);
    for (int i = 0; i < 30; i++) {
      assertThat(sub("192.0.2.1", unnamed(keys[9], "user-" + i))).isEqualTo("user-" + i);
    }
    for (int i = 0; i < 4; i++) {
      sub("192.0.2.1", unnamed(FORGER, "root"));
    }
    assertThat(count(Event.JWT_BAD_SIGNATURE)).as("of the budget of 20").isEqualTo(2);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(2);
  }

  /** A token that does not name its key. */
  private static String unnamed(ECKey key, String subject) throws JOSEException {
    JWSHeader header = new JWSHeader(JWSAlgorithm.ES256);
    return Tokens.sign(new ECDSASigner(key), header, Tokens.ann().subject(subject).build());
  }
}

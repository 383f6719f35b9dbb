package dev.weir.http.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.Tokens;
import dev.weir.http.jwt.JwtKeys;
import dev.weir.http.jwt.JwtSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How many forged and expired tokens of a client address are verified. */
class VerificationBudgetTest extends VerificationFixture {
  private static final Duration REFILL = Duration.ofMillis(200);

  @Test
  void forgedTokensBeyondTheBudgetOfAnAddressAreUnusableAndNotVerified() {
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Descriptor> pending = verifyAsync("192.0.2.1", forged());
      runAll();
      Descriptor read = pending.join();
      assertThat(read.value("jwt sub")).isEqualTo(i < 20 ? null : Descriptor.UNUSABLE);
    }
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(20);
    assertThat(count(Event.JWT_BAD_SIGNATURE)).isEqualTo(20);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(80);
    assertThat(Descriptor.isUnusable(sub("192.0.2.1", honest("mallory"))))
        .as("a client without budget does not pass for one without a token")
        .isTrue();
    assertThat(sub("192.0.2.2", honest("bob"))).as("another address").isEqualTo("bob");
    clock.pass(REFILL);
    assertThat(sub("192.0.2.1", honest("ann"))).as("5 a second").isEqualTo("ann");
    assertThat(sub("192.0.2.1", honest("eve"))).as("honest ones cost nothing").isEqualTo("eve");
    assertThat(sub("192.0.2.1", forged())).isNull();
    assertThat(Descriptor.isUnusable(sub("192.0.2.1", forged()))).isTrue();
  }

  @Test
  void concurrentTokensDoNotExceedTheBudget() {
    for (int i = 0; i < 16; i++) {
      sub("192.0.2.1", forged());
    }
    for (int i = 0; i < 8; i++) {
      var unused = verifyAsync("192.0.2.1", forged());
    }
    assertThat(queue).hasSize(8);
    runAll();
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(20);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(4);
  }

  @Test
  void acceptedTokenIsVerifiedAgainAfterItsAddressExhaustedTheBudget() {
    String token = honest("ann");
    assertThat(sub("192.0.2.1", token)).isEqualTo("ann");
    clock.pass(Duration.ofMinutes(6));
    for (int i = 0; i < 21; i++) {
      sub("192.0.2.1", forged());
    }
    assertThat(count(Event.JWT_OVER_BUDGET)).isOne();
    assertThat(sub("192.0.2.1", token)).isEqualTo("ann");
    assertThat(count(Event.JWT_CACHE_MISS)).isEqualTo(22);
  }

  @Test
  void goodTokensCostNoBudget() {
    for (int i = 0; i < 100; i++) {
      assertThat(sub("192.0.2.1", honest("user-" + i))).isEqualTo("user-" + i);
    }
    assertThat(count(Event.JWT_OVER_BUDGET)).isZero();
  }

  @Test
  void expiredTokensCostAsMuchAsForgedOnes() {
    clock.pass(Duration.ofHours(2));
    for (int i = 0; i < 100; i++) {
      sub("192.0.2.1", honest("late-" + i));
    }
    assertThat(count(Event.JWT_EXPIRED)).isEqualTo(20);
    assertThat(count(Event.JWT_OVER_BUDGET)).isEqualTo(80);
  }

  @Test
  void oneForgerBehindAnUntrustedGatewayDoesNotExhaustTheBudgetOfAllClients() {
    HttpSettings settings = HttpSettings.DEFAULT.withJwt(reader.settings().jwt());
    reader = reader.reconfigured(settings, NAMES);
    for (int i = 0; i < 50; i++) {
      assertThat(sub("192.0.2.1", forged())).isNull();
    }
    assertThat(sub("192.0.2.1", honest("ann"))).isEqualTo("ann");
  }

  @Test
  void budgetsSurviveAChangeOfTheRules() {
    for (int i = 0; i < 20; i++) {
      sub("192.0.2.1", forged());
    }
    JwtSettings others = JwtSettings.of(JwtKeys.secret(Tokens.SECRET));
    reader = reader.reconfigured(reader.settings().withJwt(others), NAMES);
    assertThat(Descriptor.isUnusable(sub("192.0.2.1", forged()))).isTrue();
  }
}

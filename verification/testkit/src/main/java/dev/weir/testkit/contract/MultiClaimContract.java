package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Requests of several claims: all or none are granted, and one decision reports the result. */
abstract class MultiClaimContract extends ContractGroup {
  private final Limit wide = Limit.tokenBucket(100, Duration.ofSeconds(10));
  private final Limit narrow = Limit.fixedWindow(5, Duration.ofSeconds(10));
  private final Limit slow = Limit.slidingLog(2, Duration.ofSeconds(60));

  MultiClaimContract(StoreContract contract) {
    super(contract);
  }

  private Claim claim(Limit limit, String name, long cost) {
    return Claim.of(limit, keys.key(name), cost);
  }

  @Test
  void anEmptyRequestIsAllowedAndChangesNothing() {
    assertThat(take().allowed()).isTrue();
    assertThat(peek().allowed()).isTrue();
    assertThat(refund().allowed()).isTrue();
    assertThat(charge().allowed()).isTrue();
    assertThat(reset().each()).isEmpty();
  }

  @Test
  void aGrantIsChargedToEveryClaim() {
    take(claim(wide, "tenant", 3), claim(narrow, "user", 2));
    assertAllowed(peek(claim(wide, "tenant", 0)), 97);
    assertAllowed(peek(claim(narrow, "user", 0)), 3);
  }

  @Test
  void aFirstRequestOnManyKeysIsAnswered() {
    Claim[] claims = new Claim[16];
    Arrays.setAll(claims, i -> claim(wide, "key " + i, 1));
    assertAllowed(take(claims), 99);
  }

  @Test
  void aFirstChargeOnManyKeysIsAnswered() {
    Claim[] claims = new Claim[16];
    Arrays.setAll(claims, i -> claim(wide, "key " + i, 1));
    assertAllowed(charge(claims), 99);
  }

  @Test
  void aGrantReportsTheClaimWithTheFewestPermitsLeft() {
    Decision decision =
        take(claim(wide, "tenant", 1), claim(narrow, "user", 1), claim(wide, "route", 1));
    assertAllowed(decision, 4);
    assertThat(decision.decisive()).hasValue(1);
    assertThat(decision.each()).extracting(Decision::remaining).containsExactly(99L, 4L, 99L);
    assertThat(decision.resetAfter()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void aGrantWaitsForTheLongestDelay() {
    Limit leaky = Limit.leakyBucket(1, Duration.ofSeconds(1), 9);
    take(claim(leaky, "one", 2));
    take(claim(leaky, "two", 4));
    Decision decision =
        take(claim(leaky, "one", 1), claim(leaky, "two", 1), claim(narrow, "user", 1));
    assertThat(decision.delay()).isEqualTo(Duration.ofSeconds(4));
    assertThat(decision.decisive()).hasValue(2);
  }

  @Test
  void aDenialChargesNoClaimWhateverThePositionOfTheDeniedOne() {
    take(claim(narrow, "denies", 5));
    Claim one = claim(wide, "one", 1);
    Claim two = claim(slow, "two", 1);
    Claim denies = claim(narrow, "denies", 1);
    assertThat(take(denies, one, two).decisive()).hasValue(0);
    assertThat(take(one, denies, two).decisive()).hasValue(1);
    assertThat(take(one, two, denies).decisive()).hasValue(2);
    Decision unused = peek(one, two);
    assertThat(unused.each()).extracting(Decision::remaining).containsExactly(100L, 2L);
    assertThat(unused.each()).extracting(Decision::resetAfter).containsOnly(Duration.ZERO);
  }

  @Test
  void aDenialReportsTheCurrentStateOfEachClaim() {
    take(claim(narrow, "denies", 5), claim(wide, "one", 10));
    Decision decision = take(claim(wide, "one", 20), claim(narrow, "denies", 1));
    assertThat(decision.each())
        .containsExactly(
            Decision.of(Verdict.ALLOWED, 90, 0, 1_000_000),
            Decision.of(Verdict.DENIED, 0, 10_000_000, 10_000_000));
  }

  @Test
  void aDenialReportsTheLongestWait() {
    take(claim(narrow, "user", 5), claim(slow, "login", 2), claim(wide, "tenant", 100));
    Decision decision =
        take(claim(narrow, "user", 1), claim(slow, "login", 1), claim(wide, "tenant", 1));
    assertDenied(decision, Duration.ofSeconds(60));
    assertThat(decision.decisive()).hasValue(1);
  }

  @Test
  void neverOutranksDenied() {
    take(claim(slow, "login", 2));
    Decision decision = take(claim(slow, "login", 1), claim(narrow, "user", 6));
    assertNever(decision);
    assertThat(decision.decisive()).hasValue(1);
  }

  @Test
  void claimsOnOneKeyAreCountedOneAfterTheOther() {
    Decision decision = take(claim(narrow, "user", 2), claim(narrow, "user", 3));
    assertAllowed(decision, 0);
    assertThat(decision.each()).extracting(Decision::remaining).containsExactly(3L, 0L);
  }

  @Test
  void claimsOnOneKeyThatFitOnlySinglyCanNeverPassTogether() {
    Decision decision = take(claim(narrow, "user", 3), claim(narrow, "user", 3));
    assertNever(decision);
    assertThat(decision.decisive()).hasValue(1);
    assertThat(decision.each()).extracting(Decision::remaining).containsExactly(5L, 5L);
    assertAllowed(peek(claim(narrow, "user", 0)), 5);
  }

  @Test
  void aPermitIsNotHeldByADeniedRequest() {
    Limit concurrent = Limit.concurrent(1, Duration.ofSeconds(30));
    Claim hold = Claim.hold(concurrent, keys.key("in flight"), 1);
    take(claim(narrow, "user", 5));
    assertDenied(take(hold, claim(narrow, "user", 1)), Duration.ofSeconds(10));
    assertAllowed(peek(hold), 1);
  }
}

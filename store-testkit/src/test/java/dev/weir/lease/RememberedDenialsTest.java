package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.guard.FarStore;
import dev.weir.guard.Fleet;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedDenialsTest {
  private static final Limit THREE = Limit.tokenBucket(3, Duration.ofMinutes(1), 3);
  private static final Limit HUNDRED = Limit.fixedWindow(100, Duration.ofHours(1));
  private static final Claim ABUSER = Claim.of(THREE, new LimitKey(1, 1));
  private static final Claim ALL = Claim.of(HUNDRED, new LimitKey(2, 2));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore shared = new MemoryStore(100_000, ticker);
  private final FarStore far = new FarStore(shared, timers);
  private final ByMode store =
      new ByMode(far, new MemoryStore(1_000, ticker), Fleet.alone(), timers);

  private Decision take(Claim... claims) {
    Answer answer = store.take(List.of(claims));
    timers.advance(far.trip);
    return answer.join();
  }

  private void use(Claim... claims) {
    for (int i = 0; i < 3; i++) {
      assertThat(take(claims).allowed()).isTrue();
    }
    assertThat(take(claims).allowed()).isFalse();
    far.asked.clear();
  }

  @Test
  void anAbuserCostsTheStoreNextToNothing() {
    use(ABUSER);
    for (int i = 0; i < 5_000; i++) {
      Decision decision = take(ABUSER);
      assertThat(decision.allowed()).isFalse();
    }
    assertThat(far.asked).as("in five seconds").hasSizeLessThanOrEqualTo(6);
    assertThat(store.counts().remembered()).isGreaterThan(4_900);
  }

  @Test
  void whatIsToldIsAsShortAsItHasBecome() {
    use(ABUSER);
    Decision first = take(ABUSER);
    timers.advance(Duration.ofMillis(500));
    Decision second = take(ABUSER);
    assertThat(first.basis()).isEqualTo(Basis.REMEMBERED);
    assertThat(second.basis()).isEqualTo(Basis.REMEMBERED);
    assertThat(first.retryAfter().orElseThrow().minus(second.retryAfter().orElseThrow()))
        .isEqualTo(Duration.ofMillis(501));
    assertThat(first.resetAfter().minus(second.resetAfter())).isEqualTo(Duration.ofMillis(501));
  }

  @Test
  void whoWaitsAsLongAsToldIsGranted() {
    use(ABUSER);
    timers.advance(take(ABUSER).retryAfter().orElseThrow());
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void whoAsksForLessMayHaveIt() {
    Claim two = ABUSER.costing(2);
    assertThat(take(two).allowed()).isTrue();
    assertThat(take(two).allowed()).isFalse();
    assertThat(take(two).basis()).isEqualTo(Basis.REMEMBERED);
    Decision more = take(ABUSER.costing(3));
    assertThat(more.basis()).as("who asks for more waits longer").isEqualTo(Basis.COUNTED);
    assertThat(take(ABUSER.costing(4)).verdict()).isEqualTo(Verdict.NEVER);
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void whoeverIsDeniedIsDeniedWhateverIsAskedBeside() {
    use(ABUSER, ALL);
    Decision same = take(ABUSER, ALL);
    assertThat(same.basis()).isEqualTo(Basis.REMEMBERED);
    assertThat(same.each().get(1).remaining()).isEqualTo(97);
    Claim other = Claim.of(HUNDRED, new LimitKey(5, 5));
    for (Claim[] asked : new Claim[][] {{ABUSER}, {other, ABUSER}, {ABUSER, other}}) {
      Decision decision = take(asked);
      assertThat(decision.basis()).isEqualTo(Basis.REMEMBERED);
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.each()).hasSize(asked.length);
      assertThat(asked[decision.decisive().orElseThrow()]).isEqualTo(ABUSER);
      assertThat(decision.retryAfter()).isPresent();
    }
    assertThat(far.asked).isEmpty();
    assertThat(take(ALL).allowed()).isTrue();
    assertThat(take(other).remaining()).as("nothing was spent beside a denial").isEqualTo(99);
  }

  @Test
  void whoAsksOnceAfterAskingTwiceAtOnceMayHaveIt() {
    assertThat(take(ABUSER, ABUSER).allowed()).isTrue();
    assertThat(take(ABUSER, ALL, ABUSER).allowed()).as("one is left").isFalse();
    Decision once = take(ABUSER);
    assertThat(once.allowed()).isTrue();
    assertThat(once.basis()).isEqualTo(Basis.COUNTED);
    assertThat(take(ABUSER, ABUSER).allowed()).isFalse();
    assertThat(take(ABUSER).allowed()).isFalse();
  }

  @Test
  void whatIsGivenBackOrForgottenHereIsKnownAtOnce() {
    use(ABUSER);
    Answer unused = store.refund(List.of(ABUSER));
    timers.advance(far.trip);
    assertThat(take(ABUSER).allowed()).isTrue();
    assertThat(take(ABUSER).allowed()).isFalse();
    unused = store.forget(List.of(ABUSER));
    timers.advance(far.trip);
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void aDenialThatIsOlderThanWhatIsGivenBackIsNotRemembered() {
    for (int i = 0; i < 3; i++) {
      take(ABUSER);
    }
    Answer denied = store.take(List.of(ABUSER));
    Answer refund = store.refund(List.of(ABUSER));
    timers.advance(far.trip);
    assertThat(denied.join().allowed()).isFalse();
    assertThat(refund.join().allowed()).isTrue();
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void aDenialThatIsToldLateIsNotRememberedEither() {
    Denials denials = new Denials(0);
    Decision denied = Decision.of(Verdict.DENIED, 0, 60_000_000, 60_000_000);
    denials.forget(List.of(ABUSER), 20);
    denials.note(List.of(ABUSER), denied, 10, 30);
    assertThat(denials.find(List.of(ABUSER), 40)).as("asked before it was given back").isNull();
    denials.note(List.of(ABUSER), denied, 21, 30);
    assertThat(denials.find(List.of(ABUSER), 40)).as("asked after it").isNotNull();
  }

  @Test
  void placesInFlightAreAskedForEachTime() {
    Limit one = Limit.concurrent(1, Duration.ofMinutes(1));
    Claim first = Claim.hold(one, new LimitKey(4, 4), 1);
    Claim second = Claim.hold(one, new LimitKey(4, 4), 2);
    assertThat(take(first).allowed()).isTrue();
    assertThat(take(second).allowed()).isFalse();
    assertThat(take(first).allowed()).as("who has a place may hold it longer").isTrue();
    shared.refund(List.of(first)); // through another server
    assertThat(take(second).allowed()).isTrue();
  }

  @Test
  void whatIsGivenBackElsewhereIsKnownWithinASecond() {
    use(ABUSER);
    shared.forget(List.of(ABUSER));
    assertThat(take(ABUSER).allowed()).isFalse();
    timers.advance(Denials.MOST);
    assertThat(take(ABUSER).allowed()).isTrue();
  }

  @Test
  void noMoreThanSoManyAreRemembered() {
    Denials denials = new Denials(timers.nanos());
    Decision denied = Decision.of(Verdict.DENIED, 0, 60_000_000, 60_000_000);
    for (int i = 0; i < 50_000; i++) {
      denials.note(List.of(Claim.of(THREE, new LimitKey(i, i))), denied, 0, 0);
    }
    assertThat(denials.size()).isEqualTo(10_000);
    long later = Denials.MOST.toNanos() + 1;
    denials.note(List.of(ABUSER.costing(1)), denied, later, later);
    denials.note(List.of(Claim.of(THREE, new LimitKey(-1, -1))), denied, later, later);
    assertThat(denials.size()).as("those that are over make room").isLessThan(10);
  }
}

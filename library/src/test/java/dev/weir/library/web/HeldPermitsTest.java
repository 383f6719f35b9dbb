package dev.weir.library.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits are renewed while their request lasts, and are free when it is over. */
@Timeout(120)
class HeldPermitsTest {
  private static final Duration EXPIRY = Duration.ofMinutes(1);

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final RecordingStore store = new RecordingStore(new MemoryStore(10_000, ticker));
  private final Limiter limiter = new Limiter(store, (rule, outcome, subject) -> {});
  private final HeldPermits permits = new HeldPermits(limiter, scheduler);
  private final RuleBook one = book(Limit.concurrent(1, EXPIRY));

  private static RuleBook book(Limit limit) {
    return RuleBook.of(List.of(Rule.named("busy").limit(limit).build()), KeySpace.random());
  }

  private Admission admit(RuleBook book) {
    Match match = book.match(Descriptor.of(book.names()), HeldPermits.newHolder());
    return Admission.of(match, limiter.take(match).join(), permits);
  }

  @Test
  void permitsAreRenewedForAsLongAsTheRequestLasts() {
    Admission longRequest = admit(one);
    for (int i = 0; i < 600; i++) {
      scheduler.advance(Duration.ofSeconds(1));
      assertThat(admit(one).allowed()).as("after " + i + " s").isFalse();
    }
    longRequest.close();
    assertThat(admit(one).allowed()).isTrue();
  }

  @Test
  void renewalIsSentThreeTimesPerExpiry() {
    Admission request = admit(one);
    long before = store.count(Operation.TAKE);
    scheduler.advance(EXPIRY.multipliedBy(10));
    assertThat(store.count(Operation.TAKE) - before).isBetween(28L, 30L);
    request.close();
  }

  @Test
  void permitsThatExpireSoonAreRenewedInTime() {
    RuleBook brief = book(Limit.concurrent(1, Duration.ofMillis(60)));
    Admission request = admit(brief);
    for (int i = 0; i < 200; i++) {
      scheduler.advance(Duration.ofMillis(10));
      assertThat(admit(brief).allowed()).isFalse();
    }
    request.close();
  }

  @Test
  void nothingIsRenewedAfterTheEnd() {
    Admission request = admit(one);
    request.close();
    assertThat(permits.size()).isZero();
    long before = store.count(Operation.TAKE);
    scheduler.advance(EXPIRY.multipliedBy(10));
    assertThat(store.count(Operation.TAKE)).isEqualTo(before);
  }

  @Test
  void renewalThatTheReleaseOvertakesHoldsNothing() {
    Admission request = admit(one);
    store.holdBack();
    scheduler.advance(EXPIRY.dividedBy(2));
    request.close();
    store.letGo();
    assertThat(admit(one).allowed()).isTrue();
  }

  @Test
  void renewalThatGivingBackOvertakesHoldsNothing() {
    Admission request = admit(one);
    store.holdBack();
    scheduler.advance(EXPIRY.dividedBy(2));
    request.giveBack();
    store.letGo();
    assertThat(admit(one).allowed()).isTrue();
  }

  @Test
  void storeThatThrowsDoesNotEndRenewals() {
    Admission request = admit(one);
    store.fail(true);
    scheduler.advance(EXPIRY.dividedBy(2));
    store.fail(false);
    scheduler.advance(EXPIRY.multipliedBy(2));
    assertThat(admit(one).allowed()).isFalse();
    request.close();
  }

  @Test
  void closingEndsRenewalsAndLeavesReleases() {
    Admission request = admit(one);
    permits.close();
    long before = store.count(Operation.TAKE);
    scheduler.advance(EXPIRY.dividedBy(2));
    assertThat(store.count(Operation.TAKE)).isEqualTo(before);
    request.close();
    assertThat(admit(one).allowed()).isTrue();
  }

  @Test
  void noMoreRequestsAreRenewedThanTheBound() {
    RuleBook many = book(Limit.concurrent(Limit.MAX_CONCURRENT, EXPIRY));
    Match match = many.match(Descriptor.of(many.names()), 1);
    List<HeldPermits.Hold> holds = new ArrayList<>();
    for (int i = 0; i < HeldPermits.MAX_RENEWED + 5; i++) {
      HeldPermits.Hold hold = permits.hold(match, this);
      assertThat(hold).isNotNull();
      holds.add(hold);
    }
    assertThat(permits.size()).isEqualTo(HeldPermits.MAX_RENEWED);
    holds.forEach(HeldPermits.Hold::release);
    assertThat(permits.size()).isZero();
  }

  /** Somebody forgot to close it: as if the process had died, the permits expire. */
  @Test
  void permitsOfALostAdmissionExpire() {
    assertThat(admit(one).allowed()).isTrue();
    for (int i = 0; permits.size() > 0; i++) {
      assertThat(i).as("collections of garbage").isLessThan(1_000);
      System.gc();
      scheduler.advance(Duration.ofMillis(100));
    }
    scheduler.advance(EXPIRY);
    assertThat(admit(one).allowed()).isTrue();
  }

  @Test
  void holdersAreNumbersThatScriptsCanCount() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(HeldPermits.newHolder()).isBetween(1L, (1L << 53) - 1);
    }
  }
}

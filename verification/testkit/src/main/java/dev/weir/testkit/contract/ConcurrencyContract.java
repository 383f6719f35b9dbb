package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Concurrent requests are admitted as exactly as sequential ones. The clock stands still. */
abstract class ConcurrencyContract extends ContractGroup {
  private static final int ROUNDS = 8;
  private static final Duration HOUR = Duration.ofHours(1);

  ConcurrencyContract(StoreContract contract) {
    super(contract);
  }

  static Stream<Limit> hundredPerHour() {
    return Stream.of(
        Limit.tokenBucket(100, HOUR),
        Limit.leakyBucket(100, HOUR, 99),
        Limit.fixedWindow(100, HOUR),
        Limit.slidingLog(100, HOUR),
        Limit.slidingCounter(100, HOUR));
  }

  @ParameterizedTest
  @MethodSource("hundredPerHour")
  void oneKeyAdmitsExactlyItsLimit(Limit limit) {
    AtomicInteger admitted = new AtomicInteger();
    ParallelThreads.run(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            admitted.addAndGet(take(limit, 1).allowed() ? 1 : 0);
          }
        });
    assertThat(admitted).hasValue(100);
    assertAllowed(peek(limit), 0);
  }

  @ParameterizedTest
  @MethodSource("hundredPerHour")
  void overlappingRequestsAdmitExactlyTheLimitOfTheKeyTheyShare(Limit limit) {
    List<LimitKey> others = names("other", 6);
    Limit wide = Limit.tokenBucket(10_000, HOUR);
    AtomicInteger admitted = new AtomicInteger();
    ParallelThreads.run(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            Claim shared = Claim.of(limit, key, 1);
            Claim one = Claim.of(wide, others.get(thread % 3), 1);
            Claim two = Claim.of(wide, others.get(3 + (thread + i) % 3), 1);
            admitted.addAndGet(takeRotated(thread + i, shared, one, two) ? 1 : 0);
          }
        });
    assertThat(admitted).hasValue(100);
    assertAllowed(peek(limit), 0);
    assertThat(spent(wide, others)).as("no denied request was charged").isEqualTo(2 * 100);
  }

  @Test
  void overlappingRequestsAdmitExactlyTheLimitsOfTheKeysTheyDoNotShare() {
    List<LimitKey> users = names("user", 8);
    List<LimitKey> routes = names("route", 2);
    Limit ten = Limit.slidingLog(10, HOUR);
    Limit wide = Limit.fixedWindow(10_000, HOUR);
    AtomicInteger admitted = new AtomicInteger();
    ParallelThreads.run(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            Claim user = Claim.of(ten, users.get(thread % 8), 1);
            Claim route = Claim.of(wide, routes.get(i % 2), 1);
            Claim all = Claim.of(wide, key, 1);
            admitted.addAndGet(takeRotated(thread + i, user, route, all) ? 1 : 0);
          }
        });
    assertThat(admitted).hasValue(8 * 10);
    assertThat(spent(ten, users)).isEqualTo(80);
    assertThat(spent(wide, routes)).isEqualTo(80);
    assertThat(spent(wide, List.of(key))).isEqualTo(80);
  }

  @ParameterizedTest
  @MethodSource("hundredPerHour")
  void takesAndRefundsConserveThePermits(Limit limit) {
    AtomicInteger out = new AtomicInteger();
    AtomicInteger peak = new AtomicInteger();
    ParallelThreads.run(
        thread -> {
          for (int i = 0; i < ROUNDS; i++) {
            if (take(limit, 10).allowed()) {
              peak.accumulateAndGet(out.addAndGet(10), Math::max);
              out.addAndGet(-10);
              refund(limit, 10);
            }
          }
        });
    assertThat(peak.get()).isBetween(10, 100);
    Decision after = peek(limit);
    assertAllowed(after, 100);
    assertThat(after.resetAfter()).isZero();
  }

  @Test
  void refundsAreNotLostWhileOtherKeysComeAndGo() {
    Limit limit = Limit.fixedWindow(1_000, HOUR);
    List<LimitKey> others = names("other", 32);
    ParallelThreads.run(
        thread -> {
          for (int i = 0; i < 2 * ROUNDS; i++) {
            Claim other = Claim.of(limit, others.get(thread % 32), 1);
            take(other);
            take(limit, 1);
            reset(other);
            refund(limit, 1);
            assertThat(peek(limit).remaining()).isBetween(900L, 1_000L);
          }
        });
    assertAllowed(peek(limit), 1_000);
  }

  @Test
  void noMoreHoldersThanTheLimitAtOnce() {
    Limit limit = Limit.concurrent(10, HOUR);
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger peak = new AtomicInteger();
    AtomicInteger grants = new AtomicInteger();
    ParallelThreads.run(
        thread -> {
          Claim hold = Claim.hold(limit, key, thread + 1L);
          for (int i = 0; i < 2 * ROUNDS; i++) {
            if (take(hold).allowed()) {
              grants.incrementAndGet();
              peak.accumulateAndGet(holders.incrementAndGet(), Math::max);
              holders.decrementAndGet();
              refund(hold);
            }
          }
        });
    assertThat(peak.get()).isBetween(1, 10);
    assertThat(grants.get()).isGreaterThanOrEqualTo(10);
    assertAllowed(peek(Claim.hold(limit, key, 999).withCost(0)), 10);
  }

  @Test
  void exactlyTheLimitOfHoldersIsAdmittedIfNoneReleases() {
    Limit limit = Limit.concurrent(10, HOUR);
    AtomicInteger admitted = new AtomicInteger();
    ParallelThreads.run(
        thread -> admitted.addAndGet(take(Claim.hold(limit, key, thread + 1L)).allowed() ? 1 : 0));
    assertThat(admitted).hasValue(10);
  }

  private boolean takeRotated(int by, Claim... claims) {
    List<Claim> rotated = new ArrayList<>(List.of(claims));
    Collections.rotate(rotated, by);
    return store.take(rotated).join().allowed();
  }

  private List<LimitKey> names(String name, int count) {
    return Stream.iterate(0, i -> i + 1).limit(count).map(i -> keys.key(name, "" + i)).toList();
  }

  private long spent(Limit limit, List<LimitKey> keys) {
    return keys.stream()
        .mapToLong(key -> limit.permits() - peek(Claim.of(limit, key, 0)).remaining())
        .sum();
  }
}

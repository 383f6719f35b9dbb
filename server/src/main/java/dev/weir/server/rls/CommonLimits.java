package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.operation.CallerFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Claims of one call on one counter under different limits, such as a limit that a client brings
 * along beside the configured one. Stores refuse that; a counter of its own for each limit would
 * let clients past what the other has counted.
 *
 * <p><b>How.</b> All of them are asked for under one limit, by which there is room for all exactly
 * if each has room under its own, on top of those before it: the least of what each allows and
 * those after it cost. How much was counted can be told from the answer, whatever the limit, and
 * from that what each limit says by itself.
 */
final class CommonLimits {
  private final List<Claim> own;
  private final List<Claim> asked;
  private final Set<LimitKey> shared;

  /** What the claims on the counter of each cost, up to that one and with it. */
  private final long[] costs;

  private CommonLimits(List<Claim> claims, Set<LimitKey> shared) {
    this.own = claims;
    this.shared = shared;
    this.asked = new ArrayList<>(claims);
    this.costs = new long[claims.size()];
    Map<LimitKey, Long> all = new HashMap<>();
    for (int i = 0; i < costs.length; i++) {
      costs[i] = all.merge(claims.get(i).key(), claims.get(i).cost(), CommonLimits::sum);
    }
    Map<LimitKey, Long> common = new HashMap<>();
    for (int i = 0; i < costs.length; i++) {
      Claim claim = claims.get(i);
      long after = all.getOrDefault(claim.key(), 0L) - costs[i];
      common.merge(claim.key(), sum(claim.limit().permits(), after), Math::min);
    }
    for (int i = 0; i < costs.length; i++) {
      Claim claim = claims.get(i);
      if (isShared(i)) {
        long permits = common.getOrDefault(claim.key(), 0L);
        asked.set(i, claim.under(allowing(permits, claim.limit())));
      }
    }
  }

  /** For the claims of a call; null if each counter is claimed under one limit. */
  static @Nullable CommonLimits of(List<Claim> claims) {
    if (claims.size() < 2) {
      return null;
    }
    Map<LimitKey, Limit> limits = new HashMap<>();
    Set<LimitKey> shared = new HashSet<>(0);
    for (Claim claim : claims) {
      Limit before = limits.putIfAbsent(claim.key(), claim.limit());
      if (before != null
          && !before.countsLike(claim.limit())
          && claim.limit().algorithm() == Algorithm.FIXED_WINDOW) {
        shared.add(claim.key());
      }
    }
    return shared.isEmpty() ? null : new CommonLimits(claims, shared);
  }

  private boolean isShared(int i) {
    return shared.contains(own.get(i).key());
  }

  /** Of numbers that are not negative, and of which a store counts up to far less. */
  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static Limit allowing(long permits, Limit windows) {
    return windows
        .calendar()
        .map(calendar -> Limit.fixedWindow(permits, calendar))
        .orElseGet(() -> Limit.fixedWindow(permits, windows.window()));
  }

  Answer ask(Function<List<Claim>, Answer> store) {
    Answer answer = store.apply(asked);
    return answer instanceof Decision decision
        ? inOwnTerms(decision)
        : CallerFuture.relay(answer, this::inOwnTerms);
  }

  /** What the limits of the claims themselves say. */
  private Decision inOwnTerms(Decision decision) {
    List<Decision> each = new ArrayList<>(decision.each());
    Map<LimitKey, Decision> told = new HashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      if (tellsCount(each.get(i))) {
        told.put(asked.get(i).key(), each.get(i));
      }
    }
    for (int i = 0; i < asked.size(); i++) {
      // All claims on a counter that was denied are told how it stood before any of them.
      Decision said = decision.allowed() ? each.get(i) : told.get(asked.get(i).key());
      if (said != null && tellsCount(said) && isShared(i)) {
        each.set(i, inOwnTerms(i, said, decision.allowed()));
      }
    }
    return Decision.of(List.copyOf(each));
  }

  /**
   * Whether it can be told from this how much was counted. Whoever counts instead of the store
   * keeps to a part of the limit, and a denial that is remembered says nothing of what was not
   * denied.
   */
  private static boolean tellsCount(Decision said) {
    return said.basis() == Basis.COUNTED || (said.basis() == Basis.REMEMBERED && !said.allowed());
  }

  private Decision inOwnTerms(int i, Decision said, boolean granted) {
    long permits = own.get(i).limit().permits();
    long left = said.remaining() - said.debt() + permits - asked.get(i).limit().permits();
    long resetMicros = said.resetAfter().toNanos() / 1_000;
    Verdict verdict =
        granted || costs[i] <= left
            ? Verdict.ALLOWED
            : costs[i] > permits ? Verdict.NEVER : Verdict.DENIED;
    // A window that denies has something counted in it, and is as if never used when it ends.
    long waitMicros = verdict == Verdict.DENIED ? resetMicros : 0;
    return Decision.of(verdict, left, waitMicros, resetMicros);
  }
}

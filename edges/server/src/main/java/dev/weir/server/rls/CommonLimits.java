package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.async.CallerFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Claims of one call on one counter under different limits, such as a limit override of the client
 * beside the configured limit. Stores reject such calls; a separate counter for each limit would
 * let clients exceed the other limit.
 *
 * <p><b>How.</b> All of them are sent under one common limit, under which all have room exactly if
 * each has room under its own limit, on top of those before it: the minimum of what each allows
 * plus the cost of those after it. The answer shows how much was counted, whatever the limit, and
 * from that follows the decision of each limit by itself.
 */
final class CommonLimits {
  private final List<Claim> own;
  private final List<Claim> sent;
  private final Set<LimitKey> shared;

  /** For each claim, the cost of all claims on its counter up to it, itself included. */
  private final long[] costs;

  private CommonLimits(List<Claim> claims, Set<LimitKey> shared) {
    this.own = claims;
    this.shared = shared;
    this.sent = new ArrayList<>(claims);
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
        sent.set(i, claim.withLimit(allowing(permits, claim.limit())));
      }
    }
  }

  /** The common limits of a call; null if each counter is claimed under one limit. */
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

  /** The saturating sum of two numbers that are not negative; stores count up to far less. */
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

  /** Sends the claims under their common limits, and answers by their own. */
  Answer send(Function<List<Claim>, Answer> store) {
    Answer answer = store.apply(sent);
    return answer instanceof Decision decision
        ? byOwnLimits(decision)
        : CallerFuture.relay(answer, this::byOwnLimits);
  }

  /** Translates a decision by common limits into one by the limits of the claims. */
  private Decision byOwnLimits(Decision decision) {
    List<Decision> each = new ArrayList<>(decision.each());
    Map<LimitKey, Decision> withCount = new HashMap<>();
    for (int i = 0; i < sent.size(); i++) {
      if (showsCount(each.get(i))) {
        withCount.put(sent.get(i).key(), each.get(i));
      }
    }
    for (int i = 0; i < sent.size(); i++) {
      // After a denial all claims on a counter see it as it was before any of them.
      Decision answered = decision.allowed() ? each.get(i) : withCount.get(sent.get(i).key());
      if (answered != null && showsCount(answered) && isShared(i)) {
        each.set(i, byOwnLimits(i, answered, decision.allowed()));
      }
    }
    return Decision.of(List.copyOf(each));
  }

  /**
   * Whether a decision shows how much was counted. The local fallback keeps to a part of the limit,
   * and a cached denial says nothing of the claims that it did not deny.
   */
  private static boolean showsCount(Decision answered) {
    return answered.basis() == Basis.COUNTED
        || (answered.basis() == Basis.CACHED && !answered.allowed());
  }

  private Decision byOwnLimits(int i, Decision answered, boolean granted) {
    long permits = own.get(i).limit().permits();
    long left = answered.remaining() - answered.debt() + permits - sent.get(i).limit().permits();
    long resetMicros = answered.resetAfter().toNanos() / 1_000;
    Verdict verdict =
        granted || costs[i] <= left
            ? Verdict.ALLOWED
            : costs[i] > permits ? Verdict.NEVER : Verdict.DENIED;
    // A window that denies has something counted in it, and is as if never used when it ends.
    long waitMicros = verdict == Verdict.DENIED ? resetMicros : 0;
    return Decision.of(verdict, left, waitMicros, resetMicros);
  }
}

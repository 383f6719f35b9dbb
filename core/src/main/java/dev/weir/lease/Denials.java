package dev.weir.lease;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Requests that the store denied, and until when the same need not be asked again.
 *
 * <p>A counter has no room before the time it told, unless somebody gives back, settles for less,
 * or forgets. Done through this server that is known at once; done elsewhere, after {@link #MOST}.
 */
final class Denials {
  /** For no longer than this is a denial remembered. */
  static final Duration MOST = Duration.ofSeconds(1);

  private static final int MAX_KEYS = 10_000;

  /** Many keys to one of them: of those that share it, too, it is not remembered what was asked. */
  private static final int STAMPS = 1_024;

  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();

  private final Map<LimitKey, Denied> known = new ConcurrentHashMap<>();
  private final AtomicLongArray forgottenNanos = new AtomicLongArray(STAMPS);
  private long sweptNanos;

  Denials(long nowNanos) {
    this.sweptNanos = nowNanos - SWEEP_NANOS;
    for (int i = 0; i < STAMPS; i++) {
      forgottenNanos.set(i, nowNanos - 1);
    }
  }

  /** What was asked and denied. */
  private record Denied(List<Claim> claims, Decision decision, long toldNanos, long untilNanos) {

    /**
     * Whether this denies a claim, and with it whatever is asked beside it. Whoever asks for more
     * has to wait longer, nobody knows how long.
     */
    boolean denies(Claim asked) {
      return isSame(claims.get(decision.decisive().orElseThrow()), asked);
    }

    private static boolean isSame(Claim one, Claim other) {
      return one.key().equals(other.key())
          && one.cost() == other.cost()
          && one.limit().countsLike(other.limit());
    }

    Decision now(List<Claim> asked, long nowNanos) {
      List<Decision> each = new ArrayList<>(asked.size());
      for (int i = 0; i < asked.size(); i++) {
        each.add(now(asked.get(i), i, nowNanos));
      }
      return Decision.of(List.copyOf(each));
    }

    /** Of what was not asked then, nothing is known. */
    private Decision now(Claim asked, int index, long nowNanos) {
      long micros = (nowNanos - toldNanos) / 1_000;
      int decisive = decision.decisive().orElseThrow();
      int known =
          isSame(claims.get(decisive), asked)
              ? decisive
              : index < claims.size() && isSame(claims.get(index), asked) ? index : -1;
      return known < 0
          ? Decision.allowed(asked.limit().capacity(), 0, Basis.REMEMBERED)
          : decision.each().get(known).later(micros).on(Basis.REMEMBERED);
    }
  }

  /** The denial that holds for these claims, if one does. */
  @Nullable Decision find(List<Claim> claims, long nowNanos) {
    if (known.isEmpty()) {
      return null;
    }
    for (Claim claim : claims) {
      Denied denied = known.get(claim.key());
      if (denied != null && denied.untilNanos - nowNanos > 0 && denied.denies(claim)) {
        return denied.now(claims, nowNanos);
      }
    }
    return null;
  }

  /**
   * Notes a denial. After a grant, what was told before no longer holds.
   *
   * @param askedNanos when the question left: what the store tells begins no earlier
   */
  void note(List<Claim> claims, Decision decision, long askedNanos, long nowNanos) {
    if (decision.allowed() && !known.isEmpty()) {
      claims.forEach(claim -> known.remove(claim.key()));
    }
    if (decision.verdict() != Verdict.DENIED) {
      return;
    }
    int index = decision.decisive().orElseThrow();
    Claim decisive = claims.get(index);
    LimitKey key = decisive.key();
    if (decisive.limit().algorithm() == Algorithm.CONCURRENCY) {
      return; // places are free when somebody leaves, and that is not known in advance
    }
    if (claims.subList(0, index).stream().anyMatch(claim -> claim.key().equals(key))) {
      return; // it came on top of those before it; by itself there may be room for it
    }
    long waitNanos = decision.retryAfter().orElse(Duration.ZERO).toNanos();
    long untilNanos = Math.min(askedNanos + waitNanos, nowNanos + MOST.toNanos());
    if (known.size() >= MAX_KEYS && !known.containsKey(key) && !makesRoom(nowNanos)) {
      return;
    }
    known.put(key, new Denied(List.copyOf(claims), decision, nowNanos, untilNanos));
    if (askedNanos - forgottenNanos.get(stamp(key)) <= 0) {
      known.remove(key); // it was asked before something was given back
    }
  }

  /** Drops what is over; seldom, because it looks at all of them. */
  private synchronized boolean makesRoom(long nowNanos) {
    if (nowNanos - sweptNanos > SWEEP_NANOS) {
      sweptNanos = nowNanos;
      known.values().removeIf(one -> one.untilNanos - nowNanos <= 0);
    }
    return known.size() < MAX_KEYS;
  }

  /** From now on it is asked again; what was asked before, and is told only now, is not noted. */
  void forget(List<Claim> claims, long nowNanos) {
    for (Claim claim : claims) {
      forgottenNanos.set(stamp(claim.key()), nowNanos);
      known.remove(claim.key());
    }
  }

  private static int stamp(LimitKey key) {
    return (int) (key.low() & (STAMPS - 1));
  }

  int size() {
    return known.size();
  }
}

package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives back what Redis granted to requests that nobody waits for.
 *
 * <p>To a caller who cancelled, everything: it was told nothing, and uses nothing. To a caller
 * whose deadline has passed, only concurrency permits: it was told that the request may have been
 * counted, and goes by that; but it does not know that it holds a permit, and would not release it.
 *
 * <p>A permit that was held before is not released when its renewal comes late, for its holder goes
 * on. Nor is any permit that the same holder has asked for again meanwhile: it may hold that one.
 */
final class Unclaimed {
  private final Consumer<List<Claim>> refund;

  /** The latest take on its way for each holder of a concurrency permit. */
  private final Map<Holder, Pending> latest = new ConcurrentHashMap<>();

  private record Holder(LimitKey key, long permit) {
    static Holder of(Claim claim) {
      return new Holder(claim.key(), claim.permit());
    }
  }

  /**
   * @param refund gives claims back, which are all in one slot
   */
  Unclaimed(Consumer<List<Claim>> refund) {
    this.refund = refund;
  }

  private static boolean isHold(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  /** A take is about to be sent. */
  void asked(Pending take) {
    for (Claim claim : take.claims) {
      if (isHold(claim)) {
        latest.put(Holder.of(claim), take);
      }
    }
  }

  /** Whoever asked knows what became of a take, or it was not done. */
  void over(Pending take) {
    for (Claim claim : take.claims) {
      if (isHold(claim)) {
        latest.remove(Holder.of(claim), take);
      }
    }
  }

  /** A take was granted whose caller had cancelled it. */
  void cancelled(Pending take) {
    List<Claim> back = new ArrayList<>();
    for (Claim claim : take.claims) {
      if (!isHold(claim) || latest.remove(Holder.of(claim), take)) {
        back.add(claim);
      }
    }
    giveBack(back);
  }

  /** A take was decided after its caller had been told that there was no answer in time. */
  void late(Pending take, Decision decision, @Nullable BitSet renewed) {
    List<Claim> back = new ArrayList<>();
    for (int i = 0; i < take.claims.size(); i++) {
      Claim claim = take.claims.get(i);
      boolean last = isHold(claim) && latest.remove(Holder.of(claim), take);
      if (last && decision.allowed() && (renewed == null || !renewed.get(i))) {
        back.add(claim);
      }
    }
    giveBack(back);
  }

  private void giveBack(List<Claim> claims) {
    if (!claims.isEmpty()) {
      refund.accept(claims);
    }
  }

  /** How many holders' takes are on their way. */
  int size() {
    return latest.size();
  }
}

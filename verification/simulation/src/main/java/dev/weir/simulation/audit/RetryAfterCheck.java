package dev.weir.simulation.audit;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.world.World;
import java.time.Duration;
import java.util.function.LongPredicate;

/** Checks that clients get the Retry-After that the store stated, to the microsecond. */
final class RetryAfterCheck {
  /** The maximum age of a cached denial. */
  private static final long MAX_CACHED_NANOS = World.millis(1_000);

  /** The maximum wait that a denial of a concurrency permit states. */
  private static final long HINT_MICROS = 1_000_000;

  private final World world;
  private final Audit audit;

  RetryAfterCheck(World world, Audit audit) {
    this.world = world;
    this.audit = audit;
  }

  static long waitMicros(Decision denied) {
    return denied.retryAfter().orElse(Duration.ZERO).toNanos() / 1_000;
  }

  /**
   * Whether a denial states exactly when the same claim passes, to the microsecond. For a
   * concurrency permit it may state a second instead, if none expires earlier.
   */
  static boolean isExact(Claim claim, Decision denied, long nowMicros, LongPredicate passesAt) {
    long then = nowMicros + waitMicros(denied);
    boolean hint =
        claim.limit().algorithm() == Algorithm.CONCURRENCY && waitMicros(denied) == HINT_MICROS;
    return !passesAt.test(then - 1) && (hint || passesAt.test(then));
  }

  void check(ClientRequest request, Account account, Claim claim, Decision each) {
    if (each.verdict() == Verdict.DENIED && each.basis() == Basis.COUNTED) {
      checkCounted(request, account, claim, each);
    } else if (each.verdict() == Verdict.DENIED && request.match.claims().size() == 1) {
      checkCached(request, account, claim, each);
    }
  }

  private void checkCounted(ClientRequest request, Account account, Claim claim, Decision each) {
    Long expected = request.storeWaits.get(claim.key());
    long stated = waitMicros(each);
    if (expected == null) {
      audit.violate(Invariant.RETRY, account, "denied as if by the store, which did not deny");
    } else {
      if (expected != stated) {
        reportWrongWait(request, account, stated, expected);
      }
      audit.usage(request.server, account).lastDenial =
          new ServerUsage.StoreDenial(
              claim.cost(), expected, world.nanos(), request.chargeCountThen);
    }
  }

  private void checkCached(ClientRequest request, Account account, Claim claim, Decision each) {
    ServerUsage.StoreDenial cached = audit.usage(request.server, account).lastDenial;
    if (cached == null
        || cached.cost() != claim.cost()
        || world.nanos() - cached.nanos() > MAX_CACHED_NANOS) {
      audit.violate(
          Invariant.RETRY, account, request.server + " caches a denial that is out of date");
      return;
    }
    request.chargeCountThen = cached.chargeCount();
    long left = Math.max(1, cached.waitMicros() - (world.nanos() - cached.nanos()) / 1_000);
    if (waitMicros(each) != left) {
      reportWrongWait(request, account, waitMicros(each), left);
    }
  }

  private void reportWrongWait(ClientRequest request, Account account, long stated, long expected) {
    String description =
        request.server + " states a wait of " + stated + " us (expected: " + expected + ")";
    audit.violate(Invariant.RETRY, account, description);
  }
}

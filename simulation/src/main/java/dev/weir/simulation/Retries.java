package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import java.time.Duration;
import java.util.function.LongPredicate;

/** Whether clients are told when to come back as the store said it, to the microsecond. */
final class Retries {
  /** For no longer than this is a denial told from memory. */
  private static final long MEMORY_NANOS = World.millis(1_000);

  /** What a denial of a concurrency permit says at most. */
  private static final long HINT_MICROS = 1_000_000;

  private final World world;
  private final Audit audit;

  /**
   * What a client was told last by a server, as the store had said it.
   *
   * @param spends what had been counted when the store said it
   */
  record Denied(long cost, long waitMicros, long nanos, long spends) {}

  Retries(World world, Audit audit) {
    this.world = world;
    this.audit = audit;
  }

  static long waitMicros(Decision denied) {
    return denied.retryAfter().orElse(Duration.ZERO).toNanos() / 1_000;
  }

  /**
   * Whether a denial tells when the same passes, and not a microsecond more or less. A concurrency
   * permit may be told to be asked for again in a second, where it does not expire before.
   */
  static boolean isExact(Claim claim, Decision denied, long nowMicros, LongPredicate passesAt) {
    long then = nowMicros + waitMicros(denied);
    boolean hint =
        claim.limit().algorithm() == Algorithm.CONCURRENCY && waitMicros(denied) == HINT_MICROS;
    return !passesAt.test(then - 1) && (hint || passesAt.test(then));
  }

  void told(Request request, Account account, Claim claim, Decision each) {
    if (each.verdict() == Verdict.DENIED && each.basis() == Basis.COUNTED) {
      said(request, account, claim, each);
    } else if (each.verdict() == Verdict.DENIED && request.match.claims().size() == 1) {
      remembered(request, account, claim, each);
    }
  }

  private void said(Request request, Account account, Claim claim, Decision each) {
    Long said = request.waits.get(claim.key());
    long told = waitMicros(each);
    if (said == null) {
      audit.violate(Invariant.RETRY, account, "denied, as if by the store, which did not");
    } else {
      if (said != told) {
        wrong(request, account, told, said);
      }
      request.node.holding(account).denied =
          new Denied(claim.cost(), said, world.nanos(), request.spendsThen);
    }
  }

  private void remembered(Request request, Account account, Claim claim, Decision each) {
    Denied denied = request.node.holding(account).denied;
    if (denied == null
        || denied.cost != claim.cost()
        || world.nanos() - denied.nanos > MEMORY_NANOS) {
      audit.violate(Invariant.RETRY, account, request.node + " remembers what is not so any more");
      return;
    }
    request.spendsThen = denied.spends;
    long left = Math.max(1, denied.waitMicros - (world.nanos() - denied.nanos) / 1_000);
    if (waitMicros(each) != left) {
      wrong(request, account, waitMicros(each), left);
    }
  }

  private void wrong(Request request, Account account, long told, long said) {
    String what = request.node + " tells to wait " + told + " us, where it is " + said;
    audit.violate(Invariant.RETRY, account, what);
  }
}

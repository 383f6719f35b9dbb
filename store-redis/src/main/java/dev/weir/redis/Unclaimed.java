package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.LimitKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives back what Redis granted to requests that nobody waits for.
 *
 * <p>To a caller who cancelled, everything: it was told nothing, and uses nothing. To a caller
 * whose deadline has passed, only concurrency permits: it was told that the request may have been
 * counted, and goes by that; but it does not know that it holds a permit, and would not release it.
 *
 * <p><b>Permits.</b> A holder may ask again while an earlier take of its is still on its way, so
 * takes are kept by holder. What nobody waits for is released when the last of them has ended,
 * unless a caller was handed a grant meanwhile: that one holds the permit, and releases it itself.
 * A permit that was held before is not released when its renewal comes late, for its holder goes
 * on. A take that comes while a permit is being released is sent after the release, never before.
 */
final class Unclaimed {
  private final Consumer<List<Claim>> refund;
  private final Map<Holder, Takes> takes = new HashMap<>(); // under the lock

  private record Holder(LimitKey key, long permit) {
    static Holder of(Claim claim) {
      return new Holder(claim.key(), claim.permit());
    }
  }

  /** The takes of one holder. */
  private static final class Takes {
    int outstanding;

    /** Whether a caller was handed a grant. */
    boolean held;

    /** What was granted and nobody took. */
    @Nullable Claim orphan;

    boolean releasing;
    final List<Submission> blocked = new ArrayList<>();
  }

  /** A take that waits for releases to be sent. */
  private static final class Submission {
    final Runnable submit;
    int releases;

    Submission(Runnable submit) {
      this.submit = submit;
    }
  }

  /**
   * @param refund sends claims back, which are all in one slot
   */
  Unclaimed(Consumer<List<Claim>> refund) {
    this.refund = refund;
  }

  private static boolean isHold(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  /** Sends a take, and keeps it in mind until it has ended. */
  void submit(Pending take, Runnable submit) {
    if (!take.holds) {
      submit.run();
      return;
    }
    Submission submission = new Submission(submit);
    synchronized (this) {
      for (Claim claim : take.claims) {
        if (isHold(claim)) {
          Takes others = takes.computeIfAbsent(Holder.of(claim), absent -> new Takes());
          others.outstanding++;
          if (others.releasing) {
            others.blocked.add(submission);
            submission.releases++;
          }
        }
      }
      if (submission.releases > 0) {
        return;
      }
    }
    submit.run();
  }

  /** Whoever asked knows what became of a take, or it was not done. */
  void over(Pending take) {
    end(take, take.isGranted(), claim -> false);
  }

  /** A take was granted whose caller had cancelled it. */
  void cancelled(Pending take) {
    List<Claim> rates = new ArrayList<>();
    for (Claim claim : take.claims) {
      if (!isHold(claim)) {
        rates.add(claim);
      }
    }
    if (!rates.isEmpty()) {
      refund.accept(rates);
    }
    end(take, false, claim -> true);
  }

  /** A take was decided after its caller had been told that there was no answer in time. */
  void late(Pending take) {
    end(take, false, claim -> take.isGranted() && !take.isRenewed(claim));
  }

  /**
   * @param handed whether the caller has the grant
   * @param orphaned of which claim nobody has
   */
  private void end(Pending take, boolean handed, IntPredicate orphaned) {
    if (!take.holds) {
      return;
    }
    List<Claim> back = new ArrayList<>();
    synchronized (this) {
      for (int i = 0; i < take.claims.size(); i++) {
        Claim claim = take.claims.get(i);
        if (isHold(claim)) {
          Claim released = end(claim, handed, orphaned.test(i));
          if (released != null) {
            back.add(released);
          }
        }
      }
    }
    for (Claim claim : back) {
      try {
        refund.accept(List.of(claim));
      } finally {
        released(Holder.of(claim));
      }
    }
  }

  /** Ends a take of one holder; returns what is to be released, if anything is. */
  private @Nullable Claim end(Claim claim, boolean handed, boolean orphaned) {
    Holder holder = Holder.of(claim);
    Takes others = takes.get(holder);
    if (others == null) {
      return null;
    }
    others.outstanding--;
    others.held |= handed;
    others.orphan = orphaned ? claim : others.orphan;
    if (others.outstanding > 0) {
      return null;
    }
    if (others.orphan == null || others.held) {
      takes.remove(holder);
      return null;
    }
    others.releasing = true;
    return others.orphan;
  }

  /** The release is sent: whoever asked meanwhile comes after it. */
  private void released(Holder holder) {
    List<Submission> next = new ArrayList<>();
    synchronized (this) {
      Takes others = takes.get(holder);
      if (others == null) {
        return;
      }
      for (Submission submission : others.blocked) {
        submission.releases--;
        if (submission.releases == 0) {
          next.add(submission);
        }
      }
      others.blocked.clear();
      others.releasing = false;
      others.orphan = null;
      if (others.outstanding == 0) {
        takes.remove(holder);
      }
    }
    next.forEach(submission -> submission.submit.run());
  }

  /** How many holders' takes are on their way. */
  synchronized int size() {
    return takes.size();
  }
}

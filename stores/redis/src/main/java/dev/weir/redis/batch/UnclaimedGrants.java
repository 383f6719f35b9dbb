package dev.weir.redis.batch;

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
 * Refunds what Redis granted to requests whose callers no longer wait.
 *
 * <p>A grant whose caller cancelled is refunded completely: the caller learned nothing and uses
 * nothing. Of a grant that came after the deadline only concurrency permits are released: the
 * caller knows that the request may have been counted, and acts on that; but it does not know that
 * it holds a permit, and would not release it.
 *
 * <p><b>Permits.</b> A holder may send another take while an earlier one is in flight, so takes are
 * tracked by holder. An unclaimed permit is released when the last take of its holder has ended,
 * unless a caller received a grant meanwhile: that caller holds the permit, and releases it itself.
 * A permit that was held before is not released when its renewal comes late, because its holder
 * still uses it. A take that arrives during a release is sent after the release, never before.
 *
 * <p>Thread-safe.
 */
public final class UnclaimedGrants {
  private final Consumer<List<Claim>> refund;
  private final Map<Holder, Takes> takes = new HashMap<>(); // guarded by this

  private record Holder(LimitKey key, long permit) {
    static Holder of(Claim claim) {
      return new Holder(claim.key(), claim.holder());
    }
  }

  /** The takes in flight of one holder. */
  private static final class Takes {
    int inFlight;

    /** Whether a caller received a grant. */
    boolean held;

    /** A granted claim that no caller received. */
    @Nullable Claim orphan;

    boolean releasing;
    final List<Submission> blocked = new ArrayList<>();
  }

  /** A take that waits until releases are sent. */
  private static final class Submission {
    final Runnable submit;
    int awaitedReleases;

    Submission(Runnable submit) {
      this.submit = submit;
    }
  }

  /**
   * Refunds through {@code refund}.
   *
   * @param refund sends a refund of claims that are all in one slot
   */
  public UnclaimedGrants(Consumer<List<Claim>> refund) {
    this.refund = refund;
  }

  private static boolean isHold(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  /**
   * Tracks a take until it has ended, and says whether to send it now: not while a permit of the
   * same holder is released.
   *
   * @param submit sends a take that has to wait; called later, perhaps on another thread
   */
  public boolean admit(PendingRequest take, Runnable submit) {
    if (!take.takesHolds) {
      return true;
    }
    Submission submission = new Submission(submit);
    synchronized (this) {
      for (Claim claim : take.claims) {
        if (isHold(claim)) {
          Takes others = takes.computeIfAbsent(Holder.of(claim), absent -> new Takes());
          others.inFlight++;
          if (others.releasing) {
            others.blocked.add(submission);
            submission.awaitedReleases++;
          }
        }
      }
      return submission.awaitedReleases == 0;
    }
  }

  /** Called when the caller of a take has its answer, or Redis granted nothing. */
  void onEnd(PendingRequest take) {
    end(take, take.isGranted(), claim -> false);
  }

  /** Called when Redis granted a take whose caller had cancelled it. */
  void onCancelledGrant(PendingRequest take) {
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

  /** Called when Redis decided a take after its deadline, and no caller waits for it. */
  void onLateDecision(PendingRequest take) {
    end(take, false, claim -> take.isGranted() && !take.isRenewed(claim));
  }

  /**
   * Ends a take.
   *
   * @param received whether the caller has received a grant
   * @param orphaned whether the claim at an index was granted and not received
   */
  private void end(PendingRequest take, boolean received, IntPredicate orphaned) {
    if (!take.takesHolds) {
      return;
    }
    List<Claim> releases = new ArrayList<>();
    synchronized (this) {
      for (int i = 0; i < take.claims.size(); i++) {
        Claim claim = take.claims.get(i);
        if (isHold(claim)) {
          Claim release = end(claim, received, orphaned.test(i));
          if (release != null) {
            releases.add(release);
          }
        }
      }
    }
    for (Claim claim : releases) {
      try {
        refund.accept(List.of(claim));
      } finally {
        onReleaseSent(Holder.of(claim));
      }
    }
  }

  /** Ends a take of one holder; returns the claim to release, if there is one. */
  private @Nullable Claim end(Claim claim, boolean received, boolean orphaned) {
    Holder holder = Holder.of(claim);
    Takes others = takes.get(holder);
    if (others == null) {
      return null;
    }
    others.inFlight--;
    others.held |= received;
    others.orphan = orphaned ? claim : others.orphan;
    if (others.inFlight > 0) {
      return null;
    }
    if (others.orphan == null || others.held) {
      takes.remove(holder);
      return null;
    }
    others.releasing = true;
    return others.orphan;
  }

  /** Sends the takes that arrived during a release. */
  private void onReleaseSent(Holder holder) {
    List<Submission> next = new ArrayList<>();
    synchronized (this) {
      Takes others = takes.get(holder);
      if (others == null) {
        return;
      }
      for (Submission submission : others.blocked) {
        submission.awaitedReleases--;
        if (submission.awaitedReleases == 0) {
          next.add(submission);
        }
      }
      others.blocked.clear();
      others.releasing = false;
      others.orphan = null;
      if (others.inFlight == 0) {
        takes.remove(holder);
      }
    }
    next.forEach(submission -> submission.submit.run());
  }

  /** The number of holders with takes in flight. */
  public synchronized int size() {
    return takes.size();
  }
}

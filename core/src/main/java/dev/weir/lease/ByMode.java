package dev.weir.lease;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.guard.Fleet;
import dev.weir.guard.Timers;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.CallerFuture;
import dev.weir.operation.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Serves each claim in its {@link Mode}, and all claims of a request together or none.
 *
 * <p>What is leased is spent here; what is local is counted here; for the rest the store is asked,
 * unless it denied the same a moment ago. What was spent here for a request that the store then
 * denies, or does not answer, is taken back.
 */
public final class ByMode implements Store {
  private final Store store;
  private final MemoryStore local;
  private final Timers timers;
  private final Leases leases;
  private final Apart apart;
  private final Denials denials;
  private final LongAdder spent = new LongAdder();
  private final LongAdder remembered = new LongAdder();

  /**
   * @param store shared by all servers
   * @param local counts what this server keeps to by itself; the same that its {@link
   *     dev.weir.guard.Standby} counts in
   */
  public ByMode(Store store, MemoryStore local, Fleet fleet, Timers timers) {
    this.store = store;
    this.local = local;
    this.timers = timers;
    this.leases = new Leases(store, fleet, timers);
    this.apart = new Apart(store, local);
    this.denials = new Denials(timers.nanos());
  }

  @Override
  public Answer take(List<Claim> claims) {
    return claims.size() == 1 ? takeOne(claims) : new Taking(claims).take();
  }

  private Answer takeOne(List<Claim> claims) {
    Claim claim = claims.get(0);
    if (claim.mode().kind() == Kind.LOCAL) {
      return local.take(claim);
    }
    long nowNanos = timers.nanos();
    Decision decision = spend(claim, nowNanos);
    if (decision == null) {
      return ask(claims, nowNanos, () -> refund(claims));
    }
    spent.increment();
    return decision;
  }

  private @Nullable Decision spend(Claim claim, long nowNanos) {
    if (!claim.mode().leases()) {
      return null;
    }
    return leases.spend(claim, nowNanos);
  }

  /**
   * Asks the store, unless its answer is known.
   *
   * @param giveBack gives back what the store grants to a caller who no longer waits for it
   */
  private Answer ask(List<Claim> claims, long nowNanos, Runnable giveBack) {
    Decision known = denials.find(claims, nowNanos);
    if (known != null) {
      remembered.increment();
      return known;
    }
    Answer answer = store.take(claims);
    if (answer instanceof Decision decision) {
      heard(claims, decision, nowNanos);
      return decision;
    }
    return CallerFuture.relay(
        answer,
        (decision, failure) -> {
          if (decision == null) {
            throw new CompletionException(failure);
          }
          heard(claims, decision, nowNanos);
          return decision;
        },
        giveBack);
  }

  private void heard(List<Claim> claims, Decision decision, long askedNanos) {
    long nowNanos = timers.nanos();
    denials.note(claims, decision, askedNanos, nowNanos);
    for (int i = 0; i < claims.size(); i++) {
      if (claims.get(i).mode().leases()) {
        leases.heard(claims.get(i), decision.each().get(i), nowNanos);
      }
    }
  }

  /** Several claims on their way to be granted together. */
  private final class Taking {
    private final List<Claim> claims;
    private final @Nullable Decision[] each;
    private final List<Claim> asked = new ArrayList<>();
    private final List<Claim> leased = new ArrayList<>();
    private final List<Claim> here = new ArrayList<>();
    private final long nowNanos = timers.nanos();

    Taking(List<Claim> claims) {
      this.claims = claims;
      this.each = new Decision[claims.size()];
    }

    Answer take() {
      for (int i = 0; i < claims.size(); i++) {
        Claim claim = claims.get(i);
        if (claim.mode().kind() == Kind.LOCAL) {
          here.add(claim);
          continue;
        }
        each[i] = spend(claim, nowNanos);
        (each[i] == null ? asked : leased).add(claim);
      }
      if (!here.isEmpty()) {
        Decision decision = local.take(here);
        fill(decision, true);
        if (!decision.allowed()) {
          here.clear(); // nothing was taken
          undo();
          return together();
        }
      }
      if (asked.isEmpty()) {
        return together();
      }
      Answer answer = ask(asked, nowNanos, () -> {});
      if (answer instanceof Decision decision) {
        return end(decision);
      }
      return CallerFuture.relay(
          answer,
          (decision, failure) -> {
            if (decision == null) {
              undo();
              throw partly(failure);
            }
            return end(decision);
          },
          () -> refund(claims));
    }

    /** An answer that comes late would be about some of the claims, and is of use to nobody. */
    private CompletionException partly(@Nullable Throwable thrown) {
      Throwable cause = thrown == null ? null : StoreFailure.cause(thrown);
      boolean all = asked.size() == claims.size();
      return new CompletionException(
          cause instanceof StoreFailure failure && !all ? failure.withoutLate() : cause);
    }

    private Decision end(Decision decision) {
      fill(decision, false);
      if (!decision.allowed()) {
        undo();
      }
      return together();
    }

    /** Puts the decisions on some of the claims where they belong. */
    private void fill(Decision decision, boolean ofLocal) {
      int next = 0;
      for (int i = 0; i < each.length; i++) {
        boolean isLocal = claims.get(i).mode().kind() == Kind.LOCAL;
        if (isLocal == ofLocal && (ofLocal || each[i] == null)) {
          each[i] = decision.each().get(next++);
        }
      }
    }

    /** Of what nobody was asked, because it was settled by then, nothing is known to be spent. */
    private Decision together() {
      List<Decision> all = new ArrayList<>(each.length);
      for (int i = 0; i < each.length; i++) {
        Decision one = each[i];
        long capacity = claims.get(i).limit().capacity();
        all.add(one == null ? Decision.allowed(capacity, 0, Decision.Basis.COUNTED) : one);
      }
      Decision decision = Decision.of(List.copyOf(all));
      if (decision.allowed()) {
        spent.add(leased.size());
      }
      return decision;
    }

    private void undo() {
      leased.forEach(claim -> leases.unspend(claim, nowNanos));
      if (!here.isEmpty()) {
        var unused = local.refund(here);
      }
    }
  }

  @Override
  public Answer look(List<Claim> claims) {
    return apart.ask(Operation.LOOK, claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return changing(Operation.REFUND, claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return changing(Operation.CHARGE, claims);
  }

  @Override
  public Answer forget(List<Claim> claims) {
    leases.forget(claims);
    return changing(Operation.FORGET, claims);
  }

  /** After this, whoever was denied may pass. */
  private Answer changing(Operation operation, List<Claim> claims) {
    denials.forget(claims, timers.nanos());
    Answer answer = apart.ask(operation, claims);
    // What was asked before, and is denied before it is done.
    return answer instanceof Decision
        ? answer
        : CallerFuture.relay(
            answer,
            (done, failure) -> {
              denials.forget(claims, timers.nanos());
              if (done == null) {
                throw new CompletionException(failure);
              }
              return done;
            },
            () -> {});
  }

  /** Whether this server holds permits of a counter at the moment. */
  public boolean isLeased(LimitKey key) {
    return leases.isLeased(key);
  }

  /** What there is to count. */
  public Counts counts() {
    return new Counts(
        leases.size(),
        spent.sum(),
        leases.taken(),
        leases.returned(),
        leases.stranded(),
        remembered.sum());
  }

  /**
   * What was done in this process instead of in the store.
   *
   * @param leases counters of which permits are held
   * @param granted requests that passed on such permits
   * @param taken permits taken in advance
   * @param returned of them given back
   * @param stranded of them lost: paid for, and spent by nobody
   * @param remembered requests denied because the store had denied the same a moment before
   */
  public record Counts(
      int leases, long granted, long taken, long returned, long stranded, long remembered) {}

  /** Gives back all that is leased. Ask nothing any more. */
  public CompletionStage<Void> close() {
    return leases.close();
  }
}

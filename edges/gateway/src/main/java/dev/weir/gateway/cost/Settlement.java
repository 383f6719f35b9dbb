package dev.weir.gateway.cost;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.gateway.cost.Settled.Amount;
import dev.weir.gateway.cost.Settled.Outcome;
import dev.weir.gateway.cost.StatedCosts.Ending;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Replaces the estimated cost of one request by the true one, exactly once.
 *
 * <p>The proxy reports what happens: the head of the response, its body, and one end. The first end
 * counts, in whatever order and from whichever threads events arrive; events after it are ignored.
 * Without an end, the estimate stays charged.
 *
 * <p><b>Guarantees.</b> What is charged beyond the estimate may put a counter in debt. What is
 * given back is never more than the estimate, and never what the counter has {@linkplain Refunds
 * forgotten}. {@link Corrections} says what happens without the store.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Settlement {
  private static final int NANOS_PER_MICRO = 1_000;

  private final Costs costs;
  private final Match match;
  private final Decision granted;
  private final LlmRequest request;
  private final long takenNanos;
  private final StatedCosts stated;
  private final CompletableFuture<Settled> settled = new CompletableFuture<>();
  private boolean ended;

  Settlement(Costs costs, Match match, Decision granted, LlmRequest request, long takenNanos) {
    this.costs = costs;
    this.match = match;
    this.granted = granted;
    this.request = request;
    this.takenNanos = takenNanos;
    this.stated = new StatedCosts(match.charges(), request);
  }

  /** The headers of the response that state a cost, in lower case; the client must not get them. */
  public Set<String> costHeaders() {
    return stated.headers();
  }

  /**
   * Whether the usage of a language model is read: then {@link LlmRequest#bodyThatAsksForUsage} is
   * the body to send.
   */
  public boolean readsUsage() {
    return stated.readsUsage();
  }

  /**
   * Whether the body of the response is read. Then the request must be sent without
   * Accept-Encoding, since a compressed body states nothing, and the estimate stays.
   */
  public boolean readsBody() {
    return stated.readsBody();
  }

  /**
   * The head of the response arrived.
   *
   * @param headers the values of a header, by its name in lower case; empty if there are none
   */
  public synchronized void onHead(int status, Function<String, List<String>> headers) {
    if (!ended) {
      stated.onHead(status, headers);
    }
  }

  /** A part of the body arrived: the bytes between two offsets, which are not kept. */
  public synchronized void onBody(byte[] bytes, int from, int to) {
    if (!ended) {
      stated.onBody(bytes, from, to);
    }
  }

  /** The response ended as it should. */
  public void onEnd() {
    end(Ending.ENDED);
  }

  /**
   * The exchange broke off after the request was sent: the client went away, the upstream reset the
   * connection in mid-body, or did not answer in time.
   */
  public void onAborted() {
    end(Ending.ABORTED);
  }

  /** The upstream failed before it answered; the estimate is given back. */
  public void onUpstreamFailed() {
    end(Ending.FAILED);
  }

  /**
   * What became of the estimates, once the store has answered. It fails if something else than the
   * store failed.
   */
  public CompletionStage<Settled> settled() {
    return settled.minimalCompletionStage();
  }

  private void end(Ending ending) {
    Settled result;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      result = settle(ending);
    }
    result.usage().filter(unused -> result.outcome() == Outcome.STATED).ifPresent(this::learn);
    new Corrections(costs.limiter(), granted)
        .apply(result.amounts())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                settled.complete(result);
              } else {
                settled.completeExceptionally(failure);
              }
            });
  }

  private void learn(Usage usage) {
    costs.onUsage(request, usage);
  }

  private Settled settle(Ending ending) {
    long elapsedMicros = Math.max(0, costs.nanos() - takenNanos) / NANOS_PER_MICRO;
    List<Amount> amounts = new ArrayList<>();
    boolean allStated = true;
    for (int i = 0; i < match.charges().size(); i++) {
      Charge charge = match.charges().get(i);
      if (charge.rule().cost().response() == null) {
        continue;
      }
      allStated &= stated.isStated(charge, ending);
      Decision decision = granted.each().get(i);
      long actual = stated.actual(charge, ending);
      // What was not counted at all is neither charged nor given back.
      long difference = decision.basis() == Basis.UNCOUNTED ? 0 : actual - charge.claim().cost();
      long refund =
          difference < 0
              ? Math.min(-difference, Refunds.max(charge.claim(), decision, elapsedMicros))
              : 0;
      amounts.add(new Amount(charge, actual, Math.max(0, difference), refund));
    }
    return new Settled(outcome(ending, allStated), stated.usage(ending), amounts);
  }

  private Outcome outcome(Ending ending, boolean allStated) {
    if (ending == Ending.FAILED) {
      return Outcome.FAILED;
    }
    if (allStated) {
      return Outcome.STATED;
    }
    if (ending == Ending.ABORTED) {
      return Outcome.ABORTED;
    }
    return stated.readsUsage() && stated.isRefused(ending) ? Outcome.FAILED : Outcome.UNSTATED;
  }
}

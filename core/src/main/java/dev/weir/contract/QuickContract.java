package dev.weir.contract;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What every store must do, as far as it can be seen in a moment and on any clock. A few dozen
 * operations on keys that nobody else has; they are reset in the end.
 *
 * <p>Used by one thread.
 */
public final class QuickContract {
  /** So long that no permit returns while the contract runs. */
  private static final Duration WINDOW = Duration.ofHours(10);

  private static final int PERMITS = 5;
  private static final int PARALLEL = 20;
  private static final int HOLDER = 7;

  private final Store store;
  private final KeySpace keys = KeySpace.random();
  private final List<Claim> used = new ArrayList<>();
  private final List<Result> results = new ArrayList<>();

  private QuickContract(Store store) {
    this.store = store;
  }

  /**
   * The result of one check.
   *
   * @param name what was checked
   * @param failure what differs; empty if the check holds
   */
  public record Result(String name, Optional<String> failure) {}

  /**
   * Checks a store.
   *
   * @return the result of each check, in order
   * @throws dev.weir.StoreFailure if the store does not answer
   */
  public static List<Result> check(Store store) {
    QuickContract contract = new QuickContract(store);
    try {
      contract.algorithms();
      contract.settling();
      contract.severalClaims();
      contract.concurrency();
      contract.parallelTakes();
    } finally {
      contract.used.forEach(claim -> store.reset(List.of(claim)).join());
    }
    return List.copyOf(contract.results);
  }

  private void algorithms() {
    for (Limit limit :
        List.of(
            Limit.tokenBucket(PERMITS, WINDOW),
            Limit.leakyBucket(PERMITS, WINDOW, PERMITS - 1),
            Limit.fixedWindow(PERMITS, WINDOW),
            Limit.slidingLog(PERMITS, WINDOW),
            Limit.slidingCounter(PERMITS, WINDOW))) {
      String algorithm = limit.algorithm().name().replace('_', ' ').toLowerCase(Locale.ROOT);
      Claim claim = claim(limit, algorithm, 1);
      boolean all = true;
      for (int i = 0; i < PERMITS; i++) {
        all &= take(claim).allowed();
      }
      Decision next = take(claim);
      expect("a " + algorithm + " admits its limit", all, "it denied one of " + PERMITS);
      expect(
          "a " + algorithm + " denies the next, and says how long to wait",
          !next.allowed() && next.retryAfter().isPresent(),
          String.valueOf(next));
    }
  }

  private void settling() {
    Claim claim = claim(Limit.tokenBucket(PERMITS, WINDOW), "settling", 2);
    take(claim);
    store.peek(List.of(claim)).join();
    Decision peeked = store.peek(List.of(claim.withCost(0))).join();
    expect("peek spends nothing", peeked.remaining() == PERMITS - 2, String.valueOf(peeked));
    Decision refunded = store.refund(List.of(claim)).join();
    expect("a refund can be taken again", refunded.remaining() == PERMITS, refunded + "");
    Decision charged = store.charge(List.of(claim.withCost(PERMITS + 1))).join();
    expect("a charge may leave debt", charged.debt() == 1, String.valueOf(charged));
    Decision reset = store.reset(List.of(claim)).join();
    expect("after a reset the limit begins anew", reset.remaining() == PERMITS, reset + "");
  }

  private void severalClaims() {
    Claim full = claim(Limit.fixedWindow(1, WINDOW), "full", 1);
    Claim free = claim(Limit.fixedWindow(PERMITS, WINDOW), "free", 1);
    take(full);
    Decision both = store.take(List.of(free, full)).join();
    Decision left = store.peek(List.of(free.withCost(0))).join();
    expect(
        "of several claims all are charged or none",
        !both.allowed() && left.remaining() == PERMITS,
        both + ", then " + left);
    Decision other = take(claim(Limit.fixedWindow(1, WINDOW), "other", 1));
    expect("each key has a counter of its own", other.allowed(), String.valueOf(other));
  }

  private void concurrency() {
    Limit one = Limit.concurrent(1, Duration.ofSeconds(60));
    LimitKey key = keys.key("in flight");
    Claim held = Claim.hold(one, key, HOLDER);
    Claim second = Claim.hold(one, key, HOLDER + 1);
    used.add(held);
    boolean taken = take(held).allowed();
    boolean denied = !take(second).allowed();
    store.refund(List.of(held)).join();
    boolean released = take(second).allowed();
    expect(
        "a permit in flight is held until it is released",
        taken && denied && released,
        "taken " + taken + ", denied " + denied + ", released " + released);
  }

  private void parallelTakes() {
    Claim claim = claim(Limit.tokenBucket(PARALLEL / 2, WINDOW), "parallel", 1);
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < PARALLEL; i++) {
      answers.add(store.take(List.of(claim)));
    }
    long allowed = answers.stream().filter(answer -> answer.join().allowed()).count();
    expect(
        "requests at the same time get no more than the limit, and no less",
        allowed == PARALLEL / 2,
        allowed + " of " + PARALLEL + " passed, the limit admits " + PARALLEL / 2);
  }

  private Claim claim(Limit limit, String name, long cost) {
    Claim claim = Claim.of(limit, keys.key(name), cost);
    used.add(claim);
    return claim;
  }

  private Decision take(Claim claim) {
    return store.take(List.of(claim)).join();
  }

  private void expect(String name, boolean holds, String found) {
    results.add(new Result(name, holds ? Optional.empty() : Optional.of(found)));
  }
}

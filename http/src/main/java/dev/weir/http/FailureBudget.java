package dev.weir.http;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many forged and late tokens are verified for each client address.
 *
 * <p>A forged signature costs as much to verify as a good one, and anybody can make one up. A token
 * is paid for before it is verified and the price given back unless it proves forged or late, so
 * that honest clients of one address, however many, never run out by themselves.
 *
 * <p>An address is remembered for seconds after its last failure. Beyond {@link #MAX_ADDRESSES} all
 * further ones share a budget.
 */
final class FailureBudget {
  /** For an address that is a client's. */
  static final Limit OF_CLIENT = Limit.tokenBucket(5, Duration.ofSeconds(1), 20);

  /**
   * For an address where no proxy is trusted: likely a gateway's, so that all clients have it.
   * Large enough that one of them does not easily use it up for the others; what bounds the work is
   * the number of threads.
   */
  static final Limit OF_GATEWAY = Limit.tokenBucket(250, Duration.ofSeconds(1), 1_000);

  static final int MAX_ADDRESSES = 65_536;

  private final KeySpace keys = KeySpace.random();
  private final MemoryStore store;

  FailureBudget(InstantSource clock) {
    this.store = new MemoryStore(MAX_ADDRESSES, Verifications.ticker(clock));
  }

  /**
   * The account of an address; of all who have none, if it is null.
   *
   * @param gateway whether clients may share the address for want of a trusted proxy
   */
  Account of(@Nullable String address, boolean gateway) {
    LimitKey key = keys.key(address == null ? "" : address);
    return new Account(store, Claim.of(gateway ? OF_GATEWAY : OF_CLIENT, key), gateway);
  }

  /** What one address has left. */
  static final class Account {
    private final MemoryStore store;
    private final Claim failure;
    private final boolean gateway;

    private Account(MemoryStore store, Claim failure, boolean gateway) {
      this.store = store;
      this.failure = failure;
      this.gateway = gateway;
    }

    LimitKey address() {
      return failure.key();
    }

    boolean isGateway() {
      return gateway;
    }

    boolean isSpent() {
      return !store.look(List.of(failure)).allowed();
    }

    boolean tryTake() {
      return store.take(failure).allowed();
    }

    /** Pays what it turned out to cost, instead of what was taken. */
    void settle(int price) {
      if (price == 0) {
        store.refund(List.of(failure));
      } else if (price > 1) {
        store.charge(List.of(failure.costing(price - 1)));
      }
    }
  }
}

package dev.weir.http.jwt;

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
 * Limits how many forged and expired tokens are verified for each client address. Thread-safe.
 *
 * <p>A forged signature costs as much to verify as a good one, and any client can invent one. The
 * budget is charged before a token is verified and refunded unless the token proves forged or
 * expired, so that honest clients of one address, however many, never exhaust it by themselves.
 *
 * <p>The budget of an address is kept for seconds after its last failure. Beyond {@link
 * #MAX_ADDRESSES} all further addresses share one budget.
 */
final class FailureBudget {
  /** For the address of a client. */
  static final Limit OF_CLIENT = Limit.tokenBucket(5, Duration.ofSeconds(1), 20);

  /**
   * For any address where no proxy is trusted: it is likely that of a gateway, which all clients
   * share. Large enough that one client does not easily exhaust it for the others; the number of
   * threads bounds the work.
   */
  static final Limit OF_GATEWAY = Limit.tokenBucket(250, Duration.ofSeconds(1), 1_000);

  static final int MAX_ADDRESSES = 65_536;

  private final KeySpace keys = KeySpace.random();
  private final MemoryStore store;

  FailureBudget(InstantSource clock) {
    this.store = new MemoryStore(MAX_ADDRESSES, VerificationPool.ticker(clock));
  }

  /**
   * The account of an address. Requests without an address share one account.
   *
   * @param gateway whether clients may share the address because no proxy is trusted
   */
  Account account(@Nullable String address, boolean gateway) {
    LimitKey key = keys.key(address == null ? "" : address);
    return new Account(store, Claim.of(gateway ? OF_GATEWAY : OF_CLIENT, key), gateway);
  }

  /** The budget of one address. */
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

    /** Whether no failure is left. */
    boolean isExhausted() {
      return !store.peek(List.of(failure)).allowed();
    }

    /** Charges one failure; false if none is left. */
    boolean tryCharge() {
      return store.take(failure).allowed();
    }

    /** Corrects the charge of one failure to the actual cost of the verification. */
    void settle(int cost) {
      if (cost == 0) {
        store.refund(List.of(failure));
      } else if (cost > 1) {
        store.charge(List.of(failure.withCost(cost - 1)));
      }
    }
  }
}

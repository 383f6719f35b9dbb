package dev.weir.http.jwt;

import dev.weir.LimitKey;
import dev.weir.http.jwt.FailureBudget.Account;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits how many verifications of each client address are queued or running, so that no client
 * fills the queue, whatever its tokens are. Thread-safe.
 */
final class AddressBulkhead {
  /** For the address of a client: its next tokens are verified when these are done. */
  static final int MAX_PER_CLIENT = 8;

  /**
   * For any address where no proxy is trusted: it is likely that of a gateway, which all clients
   * share.
   */
  static final int MAX_PER_GATEWAY = VerificationPool.MAX_WAITING;

  /** Has at most as many addresses as verifications are queued and running. */
  private final Map<LimitKey, Integer> counts = new ConcurrentHashMap<>();

  /** Admits one more verification of an address, if it may have one; {@link #release} ends it. */
  boolean tryAcquire(Account account) {
    int max = account.isGateway() ? MAX_PER_GATEWAY : MAX_PER_CLIENT;
    int count = counts.merge(account.address(), 1, Integer::sum);
    if (count > max) {
      release(account);
    }
    return count <= max;
  }

  void release(Account account) {
    counts.computeIfPresent(account.address(), (address, count) -> count == 1 ? null : count - 1);
  }

  /** How many addresses have verifications queued or running. */
  int size() {
    return counts.size();
  }
}

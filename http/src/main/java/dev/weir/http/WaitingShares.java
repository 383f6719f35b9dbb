package dev.weir.http;

import dev.weir.LimitKey;
import dev.weir.http.FailureBudget.Account;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many verifications of each address wait or run, so that no client takes up all the room,
 * whatever its tokens are.
 */
final class WaitingShares {
  /** For an address that is a client's: it gets the next ones verified when these are done. */
  static final int OF_CLIENT = 8;

  /** For an address where no proxy is trusted: likely a gateway's, so that all clients have it. */
  static final int OF_GATEWAY = Verifications.MAX_WAITING;

  /** No more addresses than verifications may wait and run at a time. */
  private final Map<LimitKey, Integer> counts = new ConcurrentHashMap<>();

  /** Whether the address may have one more; {@link #leave} gives it back. */
  boolean tryEnter(Account account) {
    int most = account.isGateway() ? OF_GATEWAY : OF_CLIENT;
    int now = counts.merge(account.address(), 1, Integer::sum);
    if (now > most) {
      leave(account);
    }
    return now <= most;
  }

  void leave(Account account) {
    counts.computeIfPresent(account.address(), (address, count) -> count == 1 ? null : count - 1);
  }

  /** How many addresses have any. */
  int size() {
    return counts.size();
  }
}

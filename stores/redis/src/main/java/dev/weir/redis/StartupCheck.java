package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.redis.batch.Deadline;
import dev.weir.redis.batch.Lane;
import dev.weir.redis.batch.PendingRequest;
import java.time.Duration;
import java.util.List;

/**
 * Checks that the scripts may run all their commands: it writes a counter, overwrites it, and
 * deletes it.
 */
final class StartupCheck {
  /** A fixed window: its second write keeps the time to live, however slow this process is. */
  private static final Limit LIMIT = Limit.fixedWindow(1_000_000, Duration.ofDays(1));

  static final Claim CLAIM = new Claim(LIMIT, new LimitKey(0, 0), 1, 0);

  private StartupCheck() {}

  /**
   * Runs the three steps one after the other.
   *
   * @throws StoreFailure if one of them fails
   */
  static void run(Lane lane, Deadline deadline) {
    for (Operation operation : List.of(Operation.TAKE, Operation.TAKE, Operation.RESET)) {
      PendingRequest step = new PendingRequest(operation, List.of(CLAIM), deadline);
      lane.submit(step);
      step.join();
    }
  }
}

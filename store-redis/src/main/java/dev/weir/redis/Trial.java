package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.operation.Operation;
import java.time.Duration;
import java.util.List;

/** Writes a counter, writes it again, and deletes it: all that the scripts ever do. */
final class Trial {
  /** A fixed window: its second write keeps the time to live, however slow this process is. */
  private static final Limit LIMIT = Limit.fixedWindow(1_000_000, Duration.ofDays(1));

  static final Claim CLAIM = new Claim(LIMIT, new LimitKey(0, 0), 1, 0);

  private Trial() {}

  /**
   * Does so, one step after the other.
   *
   * @throws StoreFailure if Redis does not let it
   */
  static void run(Lane lane, Deadline end) {
    for (Operation operation : List.of(Operation.TAKE, Operation.TAKE, Operation.FORGET)) {
      Pending step = new Pending(operation, List.of(CLAIM), end);
      lane.submit(step);
      step.join();
    }
  }
}

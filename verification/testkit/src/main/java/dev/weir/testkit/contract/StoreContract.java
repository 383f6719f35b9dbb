package dev.weir.testkit.contract;

import dev.weir.Store;
import dev.weir.testkit.Effort;
import dev.weir.time.Ticker;
import org.junit.jupiter.api.Nested;

/**
 * The contract of every store. A store's test extends this class and supplies the store.
 *
 * <p>Each test works on a new store object and on unused keys, so the counters of a store may
 * outlive the test.
 *
 * <p>JUnit runs each test on one thread; the concurrent tests start threads of their own.
 */
public abstract class StoreContract {

  /** A new store on the clock {@code ticker}. */
  protected abstract Store create(Ticker ticker);

  /** How many operations a random comparison with the model makes; fewer for a slow store. */
  protected int randomOperations() {
    return Effort.of(2_000, 4_000);
  }

  @Nested
  class QuickPart extends QuickContractGroup {
    QuickPart() {
      super(StoreContract.this);
    }
  }

  @Nested
  class TokenBuckets extends TokenBucketContract {
    TokenBuckets() {
      super(StoreContract.this);
    }
  }

  @Nested
  class LeakyBuckets extends LeakyBucketContract {
    LeakyBuckets() {
      super(StoreContract.this);
    }
  }

  @Nested
  class FixedWindows extends FixedWindowContract {
    FixedWindows() {
      super(StoreContract.this);
    }
  }

  @Nested
  class SlidingLogs extends SlidingLogContract {
    SlidingLogs() {
      super(StoreContract.this);
    }
  }

  @Nested
  class SlidingCounters extends SlidingCounterContract {
    SlidingCounters() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ConcurrencyPermits extends PermitContract {
    ConcurrencyPermits() {
      super(StoreContract.this);
    }
  }

  @Nested
  class SeveralClaims extends MultiClaimContract {
    SeveralClaims() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Settling extends SettlingContract {
    Settling() {
      super(StoreContract.this);
    }
  }

  @Nested
  class ChangingLimits extends ChangingLimitContract {
    ChangingLimits() {
      super(StoreContract.this);
    }
  }

  @Nested
  class LimitsOnOneKey extends OneKeyContract {
    LimitsOnOneKey() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Extremes extends ExtremesContract {
    Extremes() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Clocks extends ClockContract {
    Clocks() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Retries extends RetryContract {
    Retries() {
      super(StoreContract.this);
    }
  }

  @Nested
  class AgainstTheModel extends ModelContract {
    AgainstTheModel() {
      super(StoreContract.this);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(StoreContract.this);
    }
  }
}

package dev.weir.http.jwt;

import java.time.InstantSource;
import java.util.concurrent.Executor;

/** Opens verification pools to tests in other packages. */
public final class VerificationPools {
  private VerificationPools() {}

  /** A pool whose verifications run on an executor of the test. */
  public static VerificationPool on(Executor executor, InstantSource clock) {
    return VerificationPool.on(executor, clock);
  }

  /** How many verifications of one client address may be queued or running. */
  public static int maxPerClient() {
    return AddressBulkhead.MAX_PER_CLIENT;
  }

  /** How many addresses have verifications queued or running. */
  public static int pendingAddresses(VerificationPool pool) {
    return pool.bulkhead().size();
  }
}

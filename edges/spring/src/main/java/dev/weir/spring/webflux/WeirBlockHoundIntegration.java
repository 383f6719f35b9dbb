package dev.weir.spring.webflux;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Tells BlockHound, where an application has it, of the one wait that embedded counters have: they
 * spin while another thread writes the same counter, which takes nanoseconds. Thread-safe.
 */
public final class WeirBlockHoundIntegration implements BlockHoundIntegration {
  /** BlockHound makes one. */
  public WeirBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside("dev.weir.memory.Spin", "pause");
  }
}

package dev.weir.test.spring;

import dev.weir.library.WeirBuilder;
import dev.weir.spring.WeirCustomizer;
import dev.weir.test.BreakableStore;
import org.springframework.core.Ordered;

/** Comes after the customizers of the application, whose store it replaces. */
final class TestStoreCustomizer implements WeirCustomizer, Ordered {
  private final BreakableStore store;
  private boolean applied;

  TestStoreCustomizer(BreakableStore store) {
    this.store = store;
  }

  @Override
  public void customize(WeirBuilder weir) {
    store.applyTo(weir);
    applied = true;
  }

  boolean isApplied() {
    return applied;
  }

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}

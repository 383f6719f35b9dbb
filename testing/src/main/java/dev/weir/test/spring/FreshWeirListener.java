package dev.weir.test.spring;

import dev.weir.test.BreakableStore;
import java.util.Optional;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Begins each test method with new counters, since Spring keeps an application for many tests. It
 * does nothing in tests without {@link AutoConfigureWeir}.
 */
final class FreshWeirListener implements TestExecutionListener {

  @Override
  public void beforeTestMethod(TestContext test) {
    store(test).ifPresent(BreakableStore::renew);
  }

  /** Calls that hang end now: nobody waits for them any more. */
  @Override
  public void afterTestMethod(TestContext test) {
    store(test).ifPresent(BreakableStore::recover);
  }

  private static Optional<BreakableStore> store(TestContext test) {
    ApplicationContext application = test.getApplicationContext();
    boolean configured = application.getBeanNamesForType(TestStoreCustomizer.class).length > 0;
    return configured ? Optional.of(application.getBean(BreakableStore.class)) : Optional.empty();
  }
}

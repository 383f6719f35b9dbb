package dev.weir.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.weir.Limit;
import dev.weir.library.Weir;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Beginnings and ends of tests, seen from outside. */
class ExtensionLifecycleTest {
  /** What the tests that run inside hand out. */
  private static final BlockingQueue<Weir> USED = new LinkedBlockingQueue<>();

  private static TestExecutionSummary run(Class<?> tests) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(),
            summary);
    return summary.getSummary();
  }

  /** Uses a Weir; the last one hangs when its test ends. */
  @ExtendWith(WeirExtension.class)
  static class Uses {
    @Test
    void one(Weir weir) {
      USED.add(weir);
    }

    @Test
    void another(Weir weir, BreakableStore store) {
      USED.add(weir);
      store.hang(Duration.ofHours(1));
      var pending = weir.limiter("api", Limit.fixedWindow(1, Duration.ofHours(1)));
      assertThat(pending.tryAcquireAsync("acme")).isNotDone();
    }
  }

  @Test
  void weirIsClosedAfterItsTest() {
    USED.clear();
    assertThat(run(Uses.class).getTestsSucceededCount()).isEqualTo(2);
    List<Weir> used = new ArrayList<>();
    USED.drainTo(used);
    assertThat(used).hasSize(2).doesNotHaveDuplicates();
    for (Weir weir : used) {
      assertThatThrownBy(() -> weir.limiter("api", Limit.fixedWindow(1, Duration.ofHours(1))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("weir: closed (expected: open)");
    }
  }

  /** Asks for what belongs to one test before any test. */
  @ExtendWith(WeirExtension.class)
  static class AsksTooEarly {
    @BeforeAll
    static void ask(Weir weir) {
      USED.add(weir);
    }

    @Test
    void any() {}
  }

  @Test
  void parameterThatBelongsToNoTestIsRejectedWithTheRemedy() {
    TestExecutionSummary summary = run(AsksTooEarly.class);
    assertThat(summary.getFailures()).hasSize(1);
    assertThat(summary.getFailures().get(0).getException())
        .hasMessageStartingWith("Weir: parameter of static void ")
        .hasMessageEndingWith(
            "(expected: a parameter of a test method, or of one that runs before or after each"
                + " test)");
  }
}

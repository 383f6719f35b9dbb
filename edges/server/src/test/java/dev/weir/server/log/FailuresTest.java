package dev.weir.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final LogBudget budget = new LogBudget(2, nanos::get);
  private final List<String> lines = new ArrayList<>();

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      Failures.log(
          budget, System.getLogger("failures-test"), "It failed", new IllegalStateException("so"));
    }
  }

  @Test
  void floodOfFailuresLogsAFewLinesPerMinute() {
    Logger log = Logger.getLogger("failures-test");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
            assertThat(line.getThrown()).hasMessage("so");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    log.addHandler(handler);
    log.setUseParentHandlers(false);
    try {
      fail(1_000);
      assertThat(lines).containsExactly("It failed", "It failed");
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      fail(2);
      assertThat(lines)
          .containsExactly(
              "It failed", "It failed", "It failed; 998 more were not logged", "It failed");
    } finally {
      log.removeHandler(handler);
    }
  }
}

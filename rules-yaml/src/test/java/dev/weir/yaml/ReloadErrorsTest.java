package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nothing ends the watching, wherever it goes wrong. */
class ReloadErrorsTest extends Reloading {
  @Test
  void anErrorIsReportedOnceAndWatchingGoesOn() throws Exception {
    FailingFiles files = new FailingFiles(file);
    RulesWatch watch = watch(files);
    Runnable look = scheduled(watch);
    int refusals = 0;
    for (Error error : List.of(new OutOfMemoryError("1"), new LinkageError("2"))) {
      write(file, rules("two-" + ++refusals));
      files.whileLooking = error;
      look(look);
      assertTold(watch, refusals, "cannot be read: " + error);
      files.whileLooking = null;
      look(look);
      assertThat(watch.status().problems()).isEmpty();

      write(file, rules("three-" + ++refusals));
      files.whileReading = error;
      look(look);
      assertTold(watch, refusals, "cannot be read: " + error);
      files.whileReading = null;

      write(file, rules("four-" + ++refusals));
      files.whileLoading = error;
      look(look);
      assertTold(watch, refusals, "cannot be understood: " + error);
      files.whileLoading = null;

      files.whileTelling = error;
      files.whileLooking = error;
      look(look);
      files.whileTelling = null;
      files.whileLooking = null;
      refusals = (int) watch.status().refusals();
      pass(RulesWatch.RETRY);
      look(look);
      assertThat(names(watch)).singleElement().asString().startsWith("four-");
      assertThat(watch.status().problems()).isEmpty();
    }
  }

  private void assertTold(RulesWatch watch, int refusals, String problem) {
    assertThat(watch.status().problems()).containsExactly(file + ": " + problem);
    assertThat(watch.status().refusals()).isEqualTo(refusals);
    assertThat(errors()).hasSize(refusals);
  }

  private void look(Runnable look) {
    for (int i = 0; i < 3; i++) {
      assertThatCode(look::run).doesNotThrowAnyException();
      pass(RulesWatch.SETTLE);
    }
  }

  /** What a scheduler is given to run again and again. */
  private static Runnable scheduled(RulesWatch watch) {
    List<Runnable> given = new ArrayList<>();
    var scheduler =
        new ScheduledThreadPoolExecutor(0) {
          @Override
          public ScheduledFuture<?> scheduleWithFixedDelay(
              Runnable command, long initial, long delay, TimeUnit unit) {
            given.add(command);
            return schedule(() -> {}, 1, TimeUnit.DAYS);
          }
        };
    watch.start(scheduler);
    scheduler.shutdownNow();
    return given.get(0);
  }
}

package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.rules.source.FailingFiles;
import dev.weir.rules.source.RulesFileWatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** No error ends the polling, wherever it occurs. */
class ReloadErrorsTest extends ReloadTestBase {
  @Test
  void errorIsReportedOnceAndPollingContinues() throws Exception {
    FailingFiles files = new FailingFiles(file);
    RulesFileWatcher watch = watch(files);
    Runnable task = scheduled(watch);
    int refusals = 0;
    for (Error error : List.of(new OutOfMemoryError("1"), new LinkageError("2"))) {
      write(file, rules("two-" + ++refusals));
      files.onFingerprint = error;
      poll(task);
      assertReported(watch, refusals, "cannot be read: " + error);
      files.onFingerprint = null;
      poll(task);
      assertThat(watch.status().problems()).isEmpty();

      write(file, rules("three-" + ++refusals));
      files.onRead = error;
      poll(task);
      assertReported(watch, refusals, "cannot be read: " + error);
      files.onRead = null;

      write(file, rules("four-" + ++refusals));
      files.onLoad = error;
      poll(task);
      assertReported(watch, refusals, "cannot be understood: " + error);
      files.onLoad = null;

      files.onToString = error;
      files.onFingerprint = error;
      poll(task);
      files.onToString = null;
      files.onFingerprint = null;
      refusals = (int) watch.status().refusals();
      advance(RulesFileWatcher.RETRY);
      poll(task);
      assertThat(names(watch)).singleElement().asString().startsWith("four-");
      assertThat(watch.status().problems()).isEmpty();
    }
  }

  private void assertReported(RulesFileWatcher watch, int refusals, String problem) {
    assertThat(watch.status().problems()).containsExactly(file + ": " + problem);
    assertThat(watch.status().refusals()).isEqualTo(refusals);
    assertThat(errors()).hasSize(refusals);
  }

  private void poll(Runnable task) {
    for (int i = 0; i < 3; i++) {
      assertThatCode(task::run).doesNotThrowAnyException();
      advance(RulesFileWatcher.SETTLE);
    }
  }

  /** The task that the watcher gives to a scheduler. */
  private static Runnable scheduled(RulesFileWatcher watch) {
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

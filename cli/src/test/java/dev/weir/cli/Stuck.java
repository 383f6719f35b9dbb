package dev.weir.cli;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A process of its own that does not get on: one that ignores SIGTERM, or one that cannot go on,
 * and whose lines nobody reads.
 */
final class Stuck {
  static final String IGNORES_SIGNALS = "ignores-signals";
  static final String UNREAD = "unread";

  private Stuck() {}

  public static void main(String[] arguments) throws InterruptedException {
    if (arguments[0].equals(IGNORES_SIGNALS)) {
      StopSignal.install(Duration.ofMillis(200));
      System.out.println("ready");
      new CountDownLatch(1).await();
    }
    Logger log = System.getLogger(Stuck.class.getName());
    Thread writer =
        new Thread(
            () -> {
              while (true) {
                log.log(Level.WARNING, "x".repeat(1_000));
              }
            });
    writer.setDaemon(true);
    writer.start();
    StackTraceElement[] before = {};
    // Once it is where it was a second ago, and nothing was read meanwhile, it waits for a reader.
    for (int same = 0; same < 10; ) {
      Thread.sleep(100);
      StackTraceElement[] now = writer.getStackTrace();
      same = java.util.Arrays.equals(before, now) ? same + 1 : 0;
      before = now;
    }
    FatalExit.exit("nobody reads what it says");
  }
}

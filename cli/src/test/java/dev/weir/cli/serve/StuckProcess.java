package dev.weir.cli.serve;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A program that gets stuck: it ignores SIGTERM, or has a fatal error while nothing reads its log.
 */
final class StuckProcess {
  static final String IGNORES_SIGNALS = "ignores-signals";
  static final String UNREAD_LOG = "unread-log";

  private StuckProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    if (arguments[0].equals(IGNORES_SIGNALS)) {
      StopSignal.install(Duration.ofMillis(200));
      System.out.println("ready");
      new CountDownLatch(1).await();
    }
    Logger log = System.getLogger(StuckProcess.class.getName());
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
    // A writer whose stack trace does not change for a second is blocked.
    for (int same = 0; same < 10; ) {
      Thread.sleep(100);
      StackTraceElement[] now = writer.getStackTrace();
      same = java.util.Arrays.equals(before, now) ? same + 1 : 0;
      before = now;
    }
    FatalExit.exit("nothing reads the log");
  }
}

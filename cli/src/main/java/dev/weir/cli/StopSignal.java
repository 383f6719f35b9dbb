package dev.weir.cli;

import dev.weir.server.HostProcess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for SIGTERM or SIGINT, so that a service that has stopped in good order exits with 0; one
 * more, a second later or more, ends the process at once, with 128 and the number of the signal.
 * What comes sooner is the same wish, passed on twice: by a terminal and by a wrapper, say.
 *
 * <p>Why not only a shutdown hook: after a signal a JVM runs its hooks and exits with 143 whatever
 * they did. {@code Runtime.halt(0)} at the end of a hook would change that, but cut off hooks of
 * others that run at the same time, such as those that write recordings and archives. Whoever
 * handles the signal itself ends by an ordinary {@code System.exit}. The class for it is not part
 * of Java SE, though of every JDK: where it is missing, or Java is told to leave signals alone
 * ({@code -Xrs}), and for all other ways to be told to end, the hook remains, and 143.
 */
final class StopSignal {
  private static final Logger LOG = System.getLogger(StopSignal.class.getName());
  private static final int SIGNALLED = 128;
  private static final long SAME_WISH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Signal(String name, int number) {}

  private static final List<Signal> SIGNALS = List.of(new Signal("INT", 2), new Signal("TERM", 15));

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Duration limit;
  private long stopNanos;

  private StopSignal(Duration limit) {
    this.limit = limit;
  }

  /**
   * @param limit what the process may take to end from the first signal on, whatever it is at
   */
  static StopSignal install(Duration limit) {
    StopSignal stop = new StopSignal(limit);
    for (Signal signal : SIGNALS) {
      try {
        stop.handle(signal);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.log(Level.DEBUG, "SIG" + signal.name + " ends the process with 143", e);
      }
    }
    Runtime.getRuntime().addShutdownHook(new Thread(stop::stopAndWait, "weir-stop"));
    return stop;
  }

  /** By reflection, since the compiler warns of the class in a way that cannot be suppressed. */
  private void handle(Signal signal) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Runnable received = () -> received(signal);
    MethodHandle run =
        MethodHandles.lookup().bind(received, "run", MethodType.methodType(void.class));
    Object proxy =
        MethodHandleProxies.asInterfaceInstance(handler, MethodHandles.dropArguments(run, 0, type));
    Object real = type.getConstructor(String.class).newInstance(signal.name);
    type.getMethod("handle", type, handler).invoke(null, real, proxy);
  }

  private synchronized void received(Signal signal) {
    if (requested.getCount() > 0) {
      request();
    } else if (System.nanoTime() - stopNanos >= SAME_WISH_NANOS) {
      LOG.log(Level.WARNING, "Stopping at once: one more SIG" + signal.name);
      Runtime.getRuntime().halt(SIGNALLED + signal.number);
    }
  }

  private synchronized void request() {
    if (requested.getCount() > 0) {
      stopNanos = System.nanoTime();
      requested.countDown();
      FatalExit.after(limit);
    }
  }

  /** The process ends when its hooks have: so those in flight get their answer. */
  private void stopAndWait() {
    request();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process as a server sees it. */
  HostProcess host() {
    return new HostProcess() {
      @Override
      public boolean isStopping() {
        return isRequested();
      }

      @Override
      public void onFatal(String why) {
        FatalExit.exit(why);
      }
    };
  }

  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits until the process is to stop. */
  void await() throws InterruptedException {
    requested.await();
  }

  /**
   * To be counted down when the service has stopped, which the end of the process waits for: in any
   * case, or it waits for ever.
   */
  CountDownLatch stopped() {
    return stopped;
  }
}

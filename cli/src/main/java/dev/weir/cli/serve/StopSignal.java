package dev.weir.cli.serve;

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
 * Waits for SIGTERM or SIGINT, so that a service that stopped gracefully exits with 0. Another
 * signal, at least a second later, ends the process immediately with 128 plus the signal's number.
 * An earlier one is a duplicate of the first, sent by both a terminal and a wrapper for example.
 *
 * <p>A shutdown hook alone does not suffice: after a signal, the JVM runs its hooks and exits with
 * 143, whatever they did. {@code Runtime.halt(0)} at the end of a hook would change the exit code,
 * but would cut off other hooks that run at the same time, such as those that write recordings and
 * archives. A process that handles the signal itself ends by an ordinary {@code System.exit}. The
 * class for it is not part of Java SE, though of every JDK. Where it is missing, where Java does
 * not handle signals ({@code -Xrs}), and for all other causes of a shutdown, the hook remains, with
 * exit code 143.
 *
 * <p>Thread-safe.
 */
final class StopSignal {
  private static final Logger LOG = System.getLogger(StopSignal.class.getName());
  private static final int EXIT_CODE_BASE = 128;
  private static final long DUPLICATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Signal(String name, int number) {}

  private static final List<Signal> SIGNALS = List.of(new Signal("INT", 2), new Signal("TERM", 15));

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Duration limit;
  private long requestedNanos;

  private StopSignal(Duration limit) {
    this.limit = limit;
  }

  /**
   * Installs the signal handlers and the shutdown hook.
   *
   * @param limit the maximum time from the first signal to the end of the process
   */
  static StopSignal install(Duration limit) {
    StopSignal stop = new StopSignal(limit);
    for (Signal signal : SIGNALS) {
      try {
        stop.handle(signal);
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.log(
            Level.DEBUG, "Cannot handle SIG" + signal.name + "; it ends the process with 143", e);
      }
    }
    Runtime.getRuntime().addShutdownHook(new Thread(stop::stopAndWait, "weir-stop"));
    return stop;
  }

  /** Uses reflection, since the compiler's warning about the class cannot be suppressed. */
  private void handle(Signal signal) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Runnable onSignal = () -> onSignal(signal);
    MethodHandle run =
        MethodHandles.lookup().bind(onSignal, "run", MethodType.methodType(void.class));
    Object proxy =
        MethodHandleProxies.asInterfaceInstance(handler, MethodHandles.dropArguments(run, 0, type));
    Object real = type.getConstructor(String.class).newInstance(signal.name);
    type.getMethod("handle", type, handler).invoke(null, real, proxy);
  }

  private synchronized void onSignal(Signal signal) {
    if (requested.getCount() > 0) {
      request();
    } else if (System.nanoTime() - requestedNanos >= DUPLICATE_NANOS) {
      LOG.log(Level.WARNING, "Exiting immediately after another SIG" + signal.name);
      Runtime.getRuntime().halt(EXIT_CODE_BASE + signal.number);
    }
  }

  private synchronized void request() {
    if (requested.getCount() > 0) {
      requestedNanos = System.nanoTime();
      requested.countDown();
      FatalExit.exitAfter(limit);
    }
  }

  /** Keeps the process alive until requests in flight are answered: it ends after its hooks. */
  private void stopAndWait() {
    request();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process for the server. */
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

  /** Whether a stop was requested. */
  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits until a stop is requested. */
  void await() throws InterruptedException {
    requested.await();
  }

  /**
   * The latch that the caller must count down when the service has stopped, even after an
   * exception: the end of the process waits for it.
   */
  CountDownLatch stopped() {
    return stopped;
  }
}

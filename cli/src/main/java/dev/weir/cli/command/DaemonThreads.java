package dev.weir.cli.command;

/** Creates threads that do not keep the process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Creates a daemon thread named {@code weir}; the caller starts it. */
  public static Thread create(Runnable work) {
    Thread thread = new Thread(work, "weir");
    thread.setDaemon(true);
    return thread;
  }
}

package dev.weir.test;

/** Virtual threads where this JVM has them, otherwise platform threads. */
final class Threads {
  private Threads() {}

  /** What a thread does. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  static Thread start(Work work) throws ReflectiveOperationException {
    Runnable task =
        () -> {
          try {
            work.run();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    if (Runtime.version().feature() >= 21) {
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
    }
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }
}

package dev.weir.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Runs a task on thousands of virtual threads at once, and counts how often one was pinned to its
 * carrier while it waited. Only for programs on a JDK that has virtual threads; see {@link
 * NewerJdk}. Thread-safe.
 */
public final class VirtualThreads {
  private VirtualThreads() {}

  /** What each thread does. */
  @FunctionalInterface
  public interface Task {
    /**
     * Does it.
     *
     * @param inside to be called where the task holds what it has taken; it returns once all
     *     threads are there
     * @return whether it was allowed
     * @throws Exception if it fails
     */
    boolean run(Meeting inside) throws Exception;
  }

  /** Where threads wait for each other. Thread-safe. */
  public static final class Meeting {
    private final CountDownLatch absent;

    private Meeting(int threads) {
      this.absent = new CountDownLatch(threads);
    }

    /**
     * Waits until all threads are here.
     *
     * @return whether they came within two minutes
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean await() throws InterruptedException {
      absent.countDown();
      return absent.await(2, TimeUnit.MINUTES);
    }
  }

  /**
   * Runs the task on so many threads.
   *
   * @return such as {@code allowed 10000, pinned 0}
   * @throws IOException if the recording of the JVM cannot be read
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if the task fails, or if there are no virtual threads
   */
  public static String run(int threads, Task task) throws IOException, InterruptedException {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      recording.start();
      int allowed = allowed(threads, task);
      recording.stop();
      Path file = Files.createTempFile("weir", ".jfr");
      recording.dump(file);
      List<RecordedEvent> pinned =
          RecordingFile.readAllEvents(file).stream().filter(VirtualThreads::isWait).toList();
      Files.delete(file);
      pinned.forEach(System.out::println);
      return "allowed " + allowed + ", pinned " + pinned.size();
    }
  }

  /** Whether a thread was pinned while it waited, and not while the JVM loaded a class for it. */
  private static boolean isWait(RecordedEvent pinned) {
    String text = pinned.toString();
    return pinned.hasField("blockingOperation")
        ? !text.contains("Contended monitor enter") && !text.contains("initialization of")
        : !text.contains("jdk.internal.loader");
  }

  private static int allowed(int threads, Task task) throws InterruptedException {
    ExecutorService virtual = executor();
    try {
      Meeting meeting = new Meeting(threads);
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(virtual.submit(() -> task.run(meeting)));
      }
      int allowed = 0;
      for (Future<Boolean> one : all) {
        allowed += one.get() ? 1 : 0;
      }
      return allowed;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      virtual.shutdownNow();
    }
  }

  private static ExecutorService executor() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no virtual threads (expected: JDK 21 or newer)", e);
    }
  }
}

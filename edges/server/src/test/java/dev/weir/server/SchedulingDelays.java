package dev.weir.server;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How long the threads of clients and servers waited for a CPU. Linux counts that for each thread;
 * on other systems the delay is reported as zero.
 */
final class SchedulingDelays implements AutoCloseable {
  private static final File TASKS = new File("/proc/self/task");

  /** The list of threads is refreshed after so many calls. */
  private static final int CALLS_PER_SEARCH = 5;

  private final Map<String, Optional<Task>> tasks = new HashMap<>();
  private int calls;

  /** The counters of one thread: run time, wait time, time slices. */
  private static final class Task {
    private final RandomAccessFile counts;
    private final byte[] line = new byte[100];
    private long waitedNanos;

    Task(File counts) throws IOException {
      this.counts = new RandomAccessFile(counts, "r");
    }

    long grownNanos() throws IOException {
      counts.seek(0);
      int length = Math.max(0, counts.read(line));
      String[] words = new String(line, 0, length, StandardCharsets.US_ASCII).split(" ", -1);
      long before = waitedNanos;
      waitedNanos = words.length < 2 ? before : Long.parseLong(words[1]);
      return waitedNanos - before;
    }
  }

  SchedulingDelays() throws IOException {
    search();
    var unused = grownNanos(); // before
  }

  /** The longest wait of a thread since the last call; of a new thread, since it began. */
  long grownNanos() throws IOException {
    if (++calls % CALLS_PER_SEARCH == 0) {
      search();
    }
    long max = 0;
    for (Optional<Task> task : tasks.values()) {
      try {
        max = Math.max(max, task.isPresent() ? task.get().grownNanos() : 0);
      } catch (IOException e) {
        // The thread has ended; the next search drops it.
      }
    }
    return max;
  }

  private void search() throws IOException {
    String[] there = TASKS.list();
    Map<String, Optional<Task>> before = new HashMap<>(tasks);
    tasks.clear();
    for (String id : there == null ? new String[0] : there) {
      Optional<Task> known = before.remove(id);
      try {
        tasks.put(id, known == null ? task(new File(TASKS, id)) : known);
      } catch (IOException e) {
        // The thread has just ended.
      }
    }
    close(before);
  }

  private static Optional<Task> task(File directory) throws IOException {
    String name = Files.readString(new File(directory, "comm").toPath());
    boolean answers = name.startsWith("weir-") || name.startsWith("lettuce-");
    return answers ? Optional.of(new Task(new File(directory, "schedstat"))) : Optional.empty();
  }

  private static void close(Map<String, Optional<Task>> tasks) throws IOException {
    for (Optional<Task> task : tasks.values()) {
      if (task.isPresent()) {
        task.get().counts.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    close(tasks);
  }
}

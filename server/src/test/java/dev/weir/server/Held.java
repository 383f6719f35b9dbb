package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What must not grow: memory, threads, open files. */
record Held(long bytes, int threads, long files) {
  private static final long MOST_GROWTH = 8 << 20;

  static Held now() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return new Held(least, ManagementFactory.getThreadMXBean().getThreadCount(), openFiles());
  }

  /** The same but for so many files that are somebody else's. */
  Held without(int othersFiles) {
    return new Held(bytes, threads, files - othersFiles);
  }

  static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  void assertNoMoreThan(Held before, String what, long times) {
    assertNoMoreThan(before, what, times, 2);
  }

  /**
   * @param slack threads and files that come and go
   */
  void assertNoMoreThan(Held before, String what, long times, int slack) {
    System.out.printf(
        "soak: %d %s: %d KiB more in use, %d threads (%d before), %d files (%d before)%n",
        times, what, (bytes - before.bytes) >> 10, threads, before.threads, files, before.files);
    assertThat(bytes - before.bytes).as("bytes grown").isLessThan(MOST_GROWTH);
    assertThat(threads).as("threads").isLessThanOrEqualTo(before.threads + slack);
    assertThat(files).as("files").isLessThanOrEqualTo(before.files + slack);
  }
}

package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Resources that must not grow: memory, threads, open files. */
record ResourceUsage(long bytes, int threads, long files) {
  private static final long MAX_GROWTH = 8 << 20;

  static ResourceUsage now() {
    return new ResourceUsage(
        bytesNow(), ManagementFactory.getThreadMXBean().getThreadCount(), openFiles());
  }

  private static long bytesNow() {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      min = Math.min(min, runtime.totalMemory() - runtime.freeMemory());
    }
    return min;
  }

  /** This usage without files that belong to others. */
  ResourceUsage without(int othersFiles) {
    return new ResourceUsage(bytes, threads, files - othersFiles);
  }

  static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  void assertNoMoreThan(ResourceUsage before, String what, long times) {
    assertNoMoreThan(before, what, times, 2);
  }

  /**
   * Checks that usage has not grown.
   *
   * @param slack threads and files that come and go
   */
  void assertNoMoreThan(ResourceUsage before, String what, long times, int slack) {
    long grown = bytes - before.bytes;
    // Resources that wait for a timer are released; leaks stay.
    for (int i = 0; i < 100 && grown >= MAX_GROWTH; i++) {
      pause();
      grown = bytesNow() - before.bytes;
    }
    System.out.printf(
        "soak: %d %s: %d KiB more in use, %d threads (%d before), %d files (%d before)%n",
        times, what, grown >> 10, threads, before.threads, files, before.files);
    assertThat(grown).as("bytes grown").isLessThan(MAX_GROWTH);
    assertThat(threads).as("threads").isLessThanOrEqualTo(before.threads + slack);
    assertThat(files).as("files").isLessThanOrEqualTo(before.files + slack);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

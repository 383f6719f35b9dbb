package dev.weir.cli.surge;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files and connections a process may have open. */
final class FileDescriptors {
  /** What a process may have at least, where nobody says. */
  private static final long USUAL = 4_096;

  private FileDescriptors() {}

  static long max() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : USUAL;
  }
}

package dev.weir.server.transport;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files and sockets this process may open, and has open. */
final class FileDescriptors {
  private FileDescriptors() {}

  /** As many as there is no limit to think of, where the system does not tell. */
  static long max() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Integer.MAX_VALUE;
  }

  static long open() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? Math.max(0, unix.getOpenFileDescriptorCount())
        : 0;
  }
}

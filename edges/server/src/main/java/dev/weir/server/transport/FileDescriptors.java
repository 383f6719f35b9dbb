package dev.weir.server.transport;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The file descriptors of this process: the maximum, and those in use. */
final class FileDescriptors {
  private FileDescriptors() {}

  /** The maximum; {@link Integer#MAX_VALUE} if the system does not report it. */
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

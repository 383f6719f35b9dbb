package dev.weir.server;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM and the process do, under the names of Micrometer, which most dashboards know, and
 * under those names of Prometheus for processes that Micrometer lacks.
 */
final class RuntimeMetrics implements AutoCloseable {
  private static final double NANOS = 1e9;

  private final MeterRegistry registry;
  private @Nullable JvmGcMetrics pauses;
  private boolean closed;

  RuntimeMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers everything, once. It loads many classes: do it beside what else a start takes, and
   * not on an event loop.
   */
  synchronized void register() {
    if (pauses != null || closed) {
      return;
    }
    pauses = new JvmGcMetrics();
    new JvmMemoryMetrics().bindTo(registry);
    pauses.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder(
              "process.cpu.seconds", system, one -> Math.max(0, one.getProcessCpuTime() / NANOS))
          .description("Processor time that the process has used")
          .register(registry);
    }
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      Gauge.builder("process.open.fds", unix, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
          .description("Open file descriptors")
          .register(registry);
      Gauge.builder("process.max.fds", unix, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
          .description("Most file descriptors that may be open")
          .register(registry);
    }
  }

  /** Stops listening for pauses: the JVM outlives a server that is part of it. */
  @Override
  public synchronized void close() {
    closed = true;
    if (pauses != null) {
      pauses.close();
    }
  }
}

package dev.weir.server.metrics;

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
 * Metrics of the JVM and the process: under the names of Micrometer, which most dashboards know,
 * and under those process names of Prometheus that Micrometer lacks. Thread-safe.
 */
final class RuntimeMetrics implements AutoCloseable {
  private static final double NANOS = 1e9;

  private final MeterRegistry registry;
  private @Nullable JvmGcMetrics gc;
  private boolean closed;

  RuntimeMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers all metrics, once. This loads many classes: call it in parallel with the rest of the
   * start, and not on an event loop.
   */
  synchronized void register() {
    if (gc != null || closed) {
      return;
    }
    gc = new JvmGcMetrics();
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder(
              "process.cpu.seconds", system, one -> Math.max(0, one.getProcessCpuTime() / NANOS))
          .description("CPU time used by the process")
          .register(registry);
    }
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      Gauge.builder("process.open.fds", unix, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
          .description("Open file descriptors")
          .register(registry);
      Gauge.builder("process.max.fds", unix, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
          .description("Maximum number of open file descriptors")
          .register(registry);
    }
  }

  /** Stops listening for GC pauses: the JVM outlives a server that is embedded in it. */
  @Override
  public synchronized void close() {
    closed = true;
    if (gc != null) {
      gc.close();
    }
  }
}

package dev.weir.server.otlp;

import dev.weir.server.exposition.MetricSink;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.telemetry.Export;
import dev.weir.server.telemetry.Span;
import dev.weir.time.Ticker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends metrics and spans to a collector, on a thread of its own. Safe for use by any number of
 * threads.
 *
 * <p><b>Guarantees.</b> Whoever adds a span never waits. At most {@link #QUEUE} spans wait, and
 * those that come while the collector is slow or away are dropped and counted. Metrics are read
 * when they are sent, so none wait. To end takes {@link ExportLoop#MAX_FLUSH_NANOS} and a second at
 * most, whatever the collector does.
 */
public final class OtlpExporter implements Export {
  private static final Logger LOG = System.getLogger(OtlpExporter.class.getName());

  /** The maximum number of spans that wait to be sent. */
  static final int QUEUE = 2_048;

  private static final long MAX_CLOSE_MILLIS = 6_000;
  private static final long MAX_INTERRUPTED_MILLIS = 1_000;

  private final BlockingQueue<Span> queue = new ArrayBlockingQueue<>(QUEUE);
  private final OtlpStats stats = new OtlpStats();
  private final OtlpSettings settings;
  private final ExportLoop loop;
  private @Nullable Thread thread;
  private volatile boolean closed;

  /**
   * An exporter that has not begun.
   *
   * @param storeKind of the store that counts, as spans name it
   */
  public OtlpExporter(OtlpSettings settings, Metrics metrics, String storeKind) {
    this(settings, metrics, storeKind, ExportLoop.FIRST_PAUSE_MILLIS);
  }

  OtlpExporter(OtlpSettings settings, Metrics metrics, String storeKind, long firstPauseMillis) {
    this.settings = settings;
    this.loop =
        new ExportLoop(
            settings,
            queue,
            stats,
            new OtlpMessages(settings.resource(), metrics, storeKind, Ticker.system()),
            firstPauseMillis);
  }

  @Override
  public synchronized void start() {
    if (closed || thread != null) {
      return;
    }
    Thread sender = new Thread(loop::run, "weir-otlp");
    sender.setDaemon(true);
    thread = sender;
    sender.start();
    LOG.log(
        Level.INFO,
        "Sending "
            + settings.metrics().map(url -> "metrics to " + shown(url)).orElse("no metrics")
            + ", "
            + settings.traces().map(url -> "spans to " + shown(url)).orElse("no spans"));
  }

  /** A URL without what may be a secret in it. */
  private static String shown(URI url) {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }

  @Override
  public void add(Span span) {
    if (closed || !queue.offer(span)) {
      stats.spansDropped.increment();
    }
  }

  @Override
  public void writeMetrics(MetricSink out) {
    stats.write(out);
  }

  @Override
  public void close() {
    Thread sender;
    synchronized (this) {
      closed = true;
      sender = thread;
    }
    loop.stop();
    if (sender == null) {
      return;
    }
    try {
      sender.join(MAX_CLOSE_MILLIS);
      sender.interrupt(); // waits for the collector; what was not sent is lost
      sender.join(MAX_INTERRUPTED_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    stats.spansDropped.add(queue.size());
    queue.clear();
  }
}

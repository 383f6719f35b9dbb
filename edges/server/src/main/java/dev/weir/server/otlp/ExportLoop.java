package dev.weir.server.otlp;

import dev.weir.server.log.Failures;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.telemetry.Span;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The thread of an exporter: metrics at each interval, spans when there are enough or the first has
 * waited long enough. A message that the collector did not take at the moment is sent again after a
 * pause, which doubles, until the spans are given up; metrics are not sent again, because the next
 * ones say the same and more.
 */
final class ExportLoop {
  private static final Logger LOG = System.getLogger(ExportLoop.class.getName());

  /** The maximum number of spans in a message. */
  static final int BATCH = 512;

  /** How often a batch is sent before its spans are given up. */
  static final int ATTEMPTS = 5;

  static final long FIRST_PAUSE_MILLIS = 1_000;

  /** The maximum time for what waits when the server stops. */
  static final long MAX_FLUSH_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long MAX_PAUSE_MILLIS = 30_000;
  private static final long MAX_SPAN_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final OtlpSettings settings;
  private final BlockingQueue<Span> queue;
  private final OtlpStats stats;
  private final OtlpMessages messages;
  private final long firstPauseMillis;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final SignalLog metricsLog = new SignalLog("metrics");
  private final SignalLog spansLog = new SignalLog("spans");
  private final List<Span> batch = new ArrayList<>(BATCH);

  /** When the batch is to be sent, whether or not it is full. */
  private long batchDue;

  private int attempts;
  private long metricsDue;

  ExportLoop(
      OtlpSettings settings,
      BlockingQueue<Span> queue,
      OtlpStats stats,
      OtlpMessages messages,
      long firstPauseMillis) {
    this.settings = settings;
    this.queue = queue;
    this.stats = stats;
    this.messages = messages;
    this.firstPauseMillis = firstPauseMillis;
  }

  /** Ends the loop, once what waits is sent. */
  void stop() {
    stopped.countDown();
  }

  void run() {
    try {
      OtlpClient client = new OtlpClient(settings);
      metricsDue = System.nanoTime() + settings.interval().toNanos();
      while (stopped.getCount() > 0) {
        step(client);
      }
      flush(client);
    } catch (InterruptedException e) {
      stats.spansDropped.add(batch.size());
    } catch (IOException | GeneralSecurityException e) {
      LOG.log(Level.ERROR, "Nothing is sent to the collector: its certificate authority: " + e);
    }
  }

  private void step(OtlpClient client) throws InterruptedException {
    long now = System.nanoTime();
    if (settings.metrics().isPresent() && now - metricsDue >= 0) {
      var unused = sendMetrics(client, settings.metrics().get(), settings.timeout());
      // From now on, so that spans have their turn however slow the collector is.
      metricsDue = System.nanoTime() + settings.interval().toNanos();
      return;
    }
    boolean full = batch.size() >= BATCH;
    boolean fresh = attempts == 0;
    if (!batch.isEmpty() && (now - batchDue >= 0 || (full && fresh))) {
      sendSpans(client, settings.timeout());
    } else if (full) {
      // A pause after a failure: more spans wait in the queue, as far as it goes.
      var unused = stopped.await(POLL_NANOS, TimeUnit.NANOSECONDS);
    } else {
      collect(now);
    }
  }

  /** Waits for spans, but not for long: there may be something else to do. */
  private void collect(long now) throws InterruptedException {
    Span first = queue.poll(POLL_NANOS, TimeUnit.NANOSECONDS);
    if (first == null) {
      return;
    }
    if (batch.isEmpty()) {
      batchDue = now + Math.min(MAX_SPAN_WAIT_NANOS, settings.interval().toNanos());
    }
    batch.add(first);
    queue.drainTo(batch, BATCH - batch.size());
  }

  private boolean sendMetrics(OtlpClient client, URI to, Duration limit)
      throws InterruptedException {
    try {
      Sent sent = client.sendMetrics(to, messages.metrics(), limit);
      boolean arrived = sent.result() == Sent.Result.ARRIVED;
      (arrived ? stats.metrics.succeeded : stats.metrics.failed).increment();
      metricsLog.record(sent);
      return arrived;
    } catch (RuntimeException e) {
      stats.metrics.failed.increment();
      Failures.log(LOG, "Cannot send metrics", e);
      return false;
    }
  }

  /** Whether the spans are gone, wherever. */
  private boolean sendSpans(OtlpClient client, Duration limit) throws InterruptedException {
    try {
      Sent sent = client.sendSpans(settings.traces().orElseThrow(), messages.spans(batch), limit);
      spansLog.record(sent);
      switch (sent.result()) {
        case ARRIVED -> {
          stats.traces.succeeded.increment();
          long rejected = Math.min(sent.rejected(), batch.size());
          stats.spansFailed.add(rejected);
          stats.spansSent.add(batch.size() - rejected);
          done();
        }
        case REFUSED -> giveUp();
        case RETRY -> retryLater(sent.retryMillis());
      }
      return sent.result() != Sent.Result.RETRY;
    } catch (RuntimeException e) {
      Failures.log(LOG, "Cannot send spans", e);
      giveUp();
      return true;
    }
  }

  private void retryLater(long wantedMillis) {
    attempts++;
    long millis = Math.max(wantedMillis, firstPauseMillis << Math.min(attempts - 1, 10));
    batchDue =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, MAX_PAUSE_MILLIS));
    if (attempts == ATTEMPTS) {
      giveUp();
    } else {
      stats.traces.failed.increment();
    }
  }

  private void giveUp() {
    stats.traces.failed.increment();
    stats.spansFailed.add(batch.size());
    done();
  }

  private void done() {
    batch.clear();
    attempts = 0;
  }

  /** Sends what there is, each message once, until the collector fails or the time is over. */
  private void flush(OtlpClient client) throws InterruptedException {
    long end = System.nanoTime() + MAX_FLUSH_NANOS;
    if (settings.metrics().isPresent()) {
      var unused = sendMetrics(client, settings.metrics().get(), left(end));
    }
    queue.drainTo(batch, BATCH - batch.size());
    while (!batch.isEmpty() && end - System.nanoTime() > 0 && sendSpans(client, left(end))) {
      queue.drainTo(batch, BATCH);
    }
    stats.spansFailed.add(batch.size());
    batch.clear();
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
  }
}

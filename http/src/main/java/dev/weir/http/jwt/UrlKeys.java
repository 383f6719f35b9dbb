package dev.weir.http.jwt;

import dev.weir.http.HttpMeters;
import dev.weir.http.HttpMeters.Event;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Fetches keys from a URL in the background: at the start, every five minutes, and when a token
 * names an unknown key, but then at least 30 seconds after the last attempt, since any client can
 * invent such names. Thread-safe.
 *
 * <p>Redirects are not followed. A response may take ten seconds and have 256 KiB. If a fetch
 * fails, the previous keys stay in use.
 */
final class UrlKeys implements KeySource {
  private static final Duration FETCH_INTERVAL = Duration.ofMinutes(5);
  private static final long MIN_INTERVAL_MILLIS = Duration.ofSeconds(30).toMillis();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final java.net.http.HttpRequest request;
  private final HttpClient client;
  private final InstantSource clock;
  private final HttpMeters meters;
  private final ScheduledExecutorService executor;
  private final boolean ownExecutor;
  private final Future<?> timer;
  private final AtomicLong lastFetchMillis;
  private final CountDownLatch firstFetch = new CountDownLatch(1);
  private volatile boolean closed;
  private volatile @Nullable PublicKeys keys;

  UrlKeys(
      URI url,
      InstantSource clock,
      HttpMeters meters,
      @Nullable ScheduledExecutorService executor) {
    this.request = java.net.http.HttpRequest.newBuilder(url).timeout(TIMEOUT).build();
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.clock = clock;
    this.meters = meters;
    this.ownExecutor = executor == null;
    this.executor =
        executor == null ? Executors.newSingleThreadScheduledExecutor(UrlKeys::thread) : executor;
    this.lastFetchMillis = new AtomicLong(clock.millis());
    this.timer =
        this.executor.scheduleWithFixedDelay(
            this::fetch, 0, FETCH_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-jwks");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public @Nullable KeySet current() {
    return keys;
  }

  @Override
  public boolean await(Duration timeout) {
    try {
      boolean inTime = firstFetch.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return inTime && keys != null;
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void refresh() {
    if (closed) {
      return; // readers still open go on with the keys they have
    }
    long now = clock.millis();
    long last = lastFetchMillis.get();
    if (now - last >= MIN_INTERVAL_MILLIS && lastFetchMillis.compareAndSet(last, now)) {
      try {
        executor.execute(this::fetch);
      } catch (RejectedExecutionException shutDown) {
        meters.count(Event.JWKS_FAILED);
      }
    }
  }

  /** Fetches the keys. Must not throw: the executor never runs a timer again that threw. */
  private void fetch() {
    lastFetchMillis.set(clock.millis());
    try {
      PublicKeys fresh = PublicKeys.parse(download());
      if (!fresh.equals(keys)) {
        keys = fresh;
      }
      meters.count(Event.JWKS_LOADED);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (IOException
        | ParseException
        | ExecutionException
        | TimeoutException
        | RuntimeException
        | Error failed) {
      meters.count(Event.JWKS_FAILED);
    } finally {
      firstFetch.countDown();
    }
  }

  private byte[] download()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(request, response -> new LimitedBody(PublicKeys.MAX_BYTES));
    try {
      HttpResponse<byte[]> response = exchange.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != 200) {
        throw new IOException("status " + response.statusCode());
      }
      return response.body();
    } finally {
      exchange.cancel(true); // a response that trickles on would hold its connection
    }
  }

  @Override
  public void close() {
    closed = true;
    timer.cancel(true);
    if (ownExecutor) {
      executor.shutdownNow();
    }
  }
}

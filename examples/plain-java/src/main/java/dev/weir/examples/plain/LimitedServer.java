package dev.weir.examples.plain;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.Limit;
import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Permit;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server of the JDK with three endpoints: {@code /quote} is limited by key, {@code /mail}
 * waits for its turn, and of {@code /report} only so many run at a time. Answers this machine only.
 */
final class LimitedServer implements AutoCloseable {
  private static final int THREADS = 32;
  private static final int WAITING_REQUESTS = 256;
  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  private final RateLimiter quotes;
  private final RateLimiter mails;
  private final ConcurrencyLimiter reports;
  private final Runnable reporting;
  private final HttpServer server;
  private final ThreadPoolExecutor threads;

  /** Says what a user gets. */
  private interface Endpoint {
    Answer answer(String user) throws InterruptedException;
  }

  LimitedServer(Weir weir, RulesLimiter limits, int port, Runnable reporting) throws IOException {
    // A limit that belongs to the code, and limits that operators change in a file.
    this.quotes = weir.limiter("quotes", Limit.tokenBucket(2, Duration.ofSeconds(1), 5));
    this.mails = limits.limiter("mails");
    this.reports = limits.concurrency("reports");
    this.reporting = reporting;
    this.threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_REQUESTS));
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    serve("/quote", this::quote);
    serve("/mail", this::mail);
    serve("/report", this::report);
    server.start();
  }

  /** Passes at once, or not at all. */
  private Answer quote(String user) {
    RateLimitDecision decision = quotes.tryAcquire(user);
    return decision.allowed()
        ? Answer.of(200, "a quote for " + user + ", " + decision.remaining() + " left")
        : Answer.denied(decision);
  }

  /** Waits for its turn; if that would be too late, it is denied at once. */
  private Answer mail(String user) throws InterruptedException {
    RateLimitDecision decision = mails.acquire(user, MAX_WAIT);
    return decision.allowed()
        ? Answer.of(200, "mail to " + user + " is sent")
        : Answer.denied(decision);
  }

  /** Holds a permit for as long as it works. */
  private Answer report(String user) {
    Optional<Permit> free = reports.tryEnter(user);
    if (free.isEmpty()) {
      return Answer.of(429, "too many reports for " + user + " at a time");
    }
    try (Permit permit = free.get()) {
      reporting.run();
      return Answer.of(200, "a report for " + permit.key());
    }
  }

  private void serve(String path, Endpoint endpoint) {
    server.createContext(path, exchange -> answer(exchange, endpoint).send(exchange));
  }

  private static Answer answer(HttpExchange exchange, Endpoint endpoint) {
    // Take the key from what you have verified: a token, a certificate, a session.
    String user = exchange.getRequestHeaders().getFirst("X-User-Id");
    if (user == null || user.isEmpty()) {
      return Answer.of(400, "X-User-Id: none (expected: a name)");
    }
    try {
      return endpoint.answer(user);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.of(503, "stopping");
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

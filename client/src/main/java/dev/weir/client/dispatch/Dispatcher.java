package dev.weir.client.dispatch;

import dev.weir.client.header.LimitHeaders;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Decides for all requests of a client when they are sent, and whether they are sent again.
 * Thread-safe.
 *
 * <p>It sends nothing itself, so that every HTTP library can be driven by it: a {@link Call} for
 * each request hands out turns and looks at the responses.
 */
public final class Dispatcher {
  private final DispatchSettings settings;
  private final Timers timers;
  private final RandomGenerator random;
  private final LimitHeaders headers;
  private final Backoff backoff;
  private final Origins origins;

  /**
   * A dispatcher without any knowledge of servers yet.
   *
   * @param scope which limits of its server a request shares with others; empty if all
   * @param clock the wall clock, for dates in headers
   * @param random safe for use by several threads
   */
  public Dispatcher(
      DispatchSettings settings,
      Function<URI, String> scope,
      Timers timers,
      InstantSource clock,
      RandomGenerator random) {
    this.settings = settings;
    this.timers = timers;
    this.random = random;
    this.headers = new LimitHeaders(clock);
    this.backoff = new Backoff(settings.backoffBase(), settings.backoffMax());
    this.origins =
        new Origins(
            scope,
            name ->
                new Origin(
                    new Pacer(name, settings, timers, random),
                    new RetryBudget(settings.budgetPercent(), settings.budgetMinimum())));
  }

  /** A call that may take as long as the settings say. */
  public Call call(URI uri, String method, Call.Repeatable repeatable) {
    return call(uri, method, repeatable, settings.deadline());
  }

  /** A call with a deadline of its own. */
  public Call call(URI uri, String method, Call.Repeatable repeatable, Duration deadline) {
    Origin origin = origins.of(uri);
    boolean idempotent = settings.methods().contains(method.toUpperCase(Locale.ROOT));
    long now = timers.nanos();
    origin.budget().onRequest(now);
    return new Call(this, origin, repeatable.forMethod(idempotent), now + deadline.toNanos());
  }

  DispatchSettings settings() {
    return settings;
  }

  Timers timers() {
    return timers;
  }

  LimitHeaders headers() {
    return headers;
  }

  long backoffNanos(int retry) {
    return backoff.nanos(retry, random);
  }
}

package dev.weir.client;

import dev.weir.client.dispatch.DispatchSettings;
import dev.weir.client.dispatch.Dispatcher;
import dev.weir.client.dispatch.Timers;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Builds a client, or an adapter for another HTTP library. Not safe for use by several threads.
 *
 * <p>{@link #build} checks all settings.
 *
 * @param <C> what is built
 */
public final class ClientBuilder<C> {
  private static final DispatchSettings DEFAULT = DispatchSettings.DEFAULT;

  private final Function<Dispatcher, C> create;
  private int attempts = DEFAULT.attempts();
  private Duration backoffBase = DEFAULT.backoffBase();
  private Duration backoffMax = DEFAULT.backoffMax();
  private Duration maxWait = DEFAULT.maxWait();
  private Duration maxPause = DEFAULT.maxPause();
  private Duration deadline = DEFAULT.deadline();
  private int budgetPercent = DEFAULT.budgetPercent();
  private int budgetMinimum = DEFAULT.budgetMinimum();
  private Set<String> methods = DEFAULT.methods();
  private boolean retryDenied = DEFAULT.retryDenied();
  private boolean retryFailures = DEFAULT.retryFailures();
  private boolean pacing = DEFAULT.pacing();
  private int maxWaiting = DEFAULT.maxWaiting();
  private Function<URI, String> scope = uri -> "";
  private Timers timers = Timers.system();
  private InstantSource clock = InstantSource.system();
  private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

  /** Builds what the function makes of a dispatcher: for adapters. */
  public ClientBuilder(Function<Dispatcher, C> create) {
    this.create = create;
  }

  /** How often a request is sent at most, the first time included; 4 by default, 1 to 100. */
  public ClientBuilder<C> attempts(int most) {
    this.attempts = most;
    return this;
  }

  /**
   * The wait before a retry: random, at most {@code base} before the first one and twice as much
   * before each further one, up to {@code max}; 100 ms and 10 s by default. What the server asks
   * for comes on top.
   */
  public ClientBuilder<C> backoff(Duration base, Duration max) {
    this.backoffBase = base;
    this.backoffMax = max;
    return this;
  }

  /**
   * The longest single wait of a request, for its turn or for a retry; 10 s by default. If the
   * server asks for more, the request is not sent again, or not sent at all.
   */
  public ClientBuilder<C> maxWait(Duration longest) {
    this.maxWait = longest;
    return this;
  }

  /**
   * For how long requests to an origin are held back at most, whatever its headers say; 1 minute by
   * default. A random time that is not longer comes on top, then one request is sent to ask again.
   */
  public ClientBuilder<C> maxPause(Duration longest) {
    this.maxPause = longest;
    return this;
  }

  /**
   * The time for a request with its waits and retries; 30 s by default. No wait begins that would
   * end later: the last response is returned at once.
   */
  public ClientBuilder<C> deadline(Duration atMost) {
    this.deadline = atMost;
    return this;
  }

  /**
   * Bounds the retries to each origin within ten seconds to {@code percent} of the requests, and
   * {@code minimum} more; 20 and 10 by default.
   */
  public ClientBuilder<C> retryBudget(int percent, int minimum) {
    this.budgetPercent = percent;
    this.budgetMinimum = minimum;
    return this;
  }

  /**
   * The methods whose requests are retried; those that are idempotent by default: GET, HEAD,
   * OPTIONS, TRACE, PUT and DELETE.
   */
  public ClientBuilder<C> retryMethods(Set<String> retried) {
    this.methods = Set.copyOf(retried);
    return this;
  }

  /**
   * Also retries other methods, such as POST, if the server denied the request by a 429, or a 503
   * with {@code Retry-After}; false by default. A limiter in front of a service denies requests
   * before anything is done, but nothing obliges a server to do so: only its documentation can say.
   */
  public ClientBuilder<C> retryDenied(boolean retry) {
    this.retryDenied = retry;
    return this;
  }

  /** Whether requests are retried if the connection failed before a response; true by default. */
  public ClientBuilder<C> retryFailures(boolean retry) {
    this.retryFailures = retry;
    return this;
  }

  /** Whether requests wait until the server probably has room for them; true by default. */
  public ClientBuilder<C> pacing(boolean wait) {
    this.pacing = wait;
    return this;
  }

  /** How many requests to an origin may wait at a time; 1,000 by default. */
  public ClientBuilder<C> maxWaiting(int most) {
    this.maxWaiting = most;
    return this;
  }

  /**
   * Which requests to a server share its limits: those with the same text. By default all do, so a
   * denial by one endpoint holds back requests to the others. Waits, what was learned, and the
   * retry budget are kept for each scope of an origin; of all scopes together, the 1,000 used most
   * recently are remembered.
   *
   * @param of the scope of a request, such as its first path segment or its tenant; an empty text
   *     is the origin itself. It is called by any thread for each request, and appears in messages.
   */
  public ClientBuilder<C> scope(Function<URI, String> of) {
    this.scope = of;
    return this;
  }

  /** The timers of everything that waits, for tests. */
  public ClientBuilder<C> timers(Timers source) {
    this.timers = source;
    return this;
  }

  /** The wall clock, for dates in headers of responses that have no date themselves. */
  public ClientBuilder<C> clock(InstantSource source) {
    this.clock = source;
    return this;
  }

  /** The source of randomness, which must be safe for use by several threads; for tests. */
  public ClientBuilder<C> random(RandomGenerator source) {
    this.random = source;
    return this;
  }

  /**
   * Builds it.
   *
   * @throws IllegalArgumentException if a setting is out of its range
   */
  public C build() {
    DispatchSettings settings =
        new DispatchSettings(
            attempts,
            backoffBase,
            backoffMax,
            maxWait,
            maxPause,
            deadline,
            budgetPercent,
            budgetMinimum,
            methods,
            retryDenied,
            retryFailures,
            pacing,
            maxWaiting);
    return create.apply(new Dispatcher(settings, scope, timers, clock, random));
  }
}

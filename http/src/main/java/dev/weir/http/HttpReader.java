package dev.weir.http;

import dev.weir.Descriptor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Reads from requests the values that rules ask for.
 *
 * <p>Never throws and never waits for a network, whatever the request. What is missing or forged is
 * absent; what is there but contradictory, malformed, too long or named in {@code Connection} is
 * {@link Descriptor#UNUSABLE}. Both are counted in {@link #meters}. The names it knows:
 *
 * <ul>
 *   <li>{@code method}: in upper case
 *   <li>{@code host}: in lower case, without port and trailing dot
 *   <li>{@code path}, {@code path other-readings}: see {@link CanonicalPath}
 *   <li>{@code ip}: the network the client is counted under; {@code ip exact}: its address. Absent
 *       only where the peer has no address and no proxy is trusted to tell one
 *   <li>{@code header x-plan}, {@code cookie session}: one value of at most 8192 characters
 *   <li>{@code trusted-header x-plan}: the same, if the peer is a trusted proxy
 *   <li>{@code jwt sub}: a claim of a verified token; a text, number or boolean. {@code jwt org.id}
 *       is the claim of that name or else {@code id} within {@code org}
 * </ul>
 *
 * <p>Values of other names are absent. With keys fetched from a URL it has a daemon thread, unless
 * given an executor, until closed.
 */
public final class HttpReader implements AutoCloseable {
  /**
   * How long a token waits to be verified {@linkplain Reading#verifyLater later}, at most; the
   * verification itself takes milliseconds.
   */
  public static final Duration MAX_WAIT = Verifications.MAX_WAIT;

  private final HttpSettings settings;
  private final InstantSource clock;
  private final @Nullable ScheduledExecutorService executor;
  private final Verifications verifications;
  private final HttpMeters meters;
  private final Proxies proxies;
  private final Plan plan;
  private final @Nullable JwtReader jwt;

  /** A reader on the time of this machine. */
  public HttpReader(HttpSettings settings, Descriptor.Names names) {
    this(settings, names, InstantSource.system(), null);
  }

  /**
   * @param executor fetches keys, where they come from a URL; not shut down by this reader. Null
   *     for a thread of its own
   */
  public HttpReader(
      HttpSettings settings,
      Descriptor.Names names,
      InstantSource clock,
      @Nullable ScheduledExecutorService executor) {
    this(settings, names, clock, executor, Verifications.by(clock), new HttpMeters(), null);
  }

  private HttpReader(
      HttpSettings settings,
      Descriptor.Names names,
      InstantSource clock,
      @Nullable ScheduledExecutorService executor,
      Verifications verifications,
      HttpMeters meters,
      @Nullable JwtReader before) {
    this.settings = settings;
    this.clock = clock;
    this.executor = executor;
    this.verifications = verifications;
    this.meters = meters;
    this.proxies = new Proxies(settings, meters);
    this.plan = new Plan(names, settings.jwt());
    JwtSettings tokens = settings.jwt();
    if (tokens == null) {
      this.jwt = null;
    } else if (before != null && before.uses(tokens.keys())) {
      this.jwt = before.with(tokens, plan.claims());
    } else {
      KeySource keys = KeySource.of(tokens.keys(), clock, meters, executor);
      this.jwt = new JwtReader(tokens, keys, plan.claims(), clock, meters, verifications);
    }
  }

  /** A reader on which others decide what verifications may cost. */
  static HttpReader within(
      Verifications limits, HttpSettings settings, Descriptor.Names names, InstantSource clock) {
    return new HttpReader(settings, names, clock, null, limits, new HttpMeters(), null);
  }

  /**
   * A reader for rules that change. It shares this one's meters, what verifications may cost, and
   * its keys if they come from the same place; so close this one with {@link #closeBut} once the
   * other reads.
   */
  public HttpReader with(HttpSettings others, Descriptor.Names otherNames) {
    return new HttpReader(others, otherNames, clock, executor, verifications, meters, jwt);
  }

  /**
   * Waits for keys to verify tokens with, where they come from a URL: until they are there, could
   * not be had, or the time is over.
   *
   * @return whether tokens can be verified, or need not be
   */
  public boolean awaitKeys(Duration most) {
    return jwt == null || jwt.awaitKeys(most);
  }

  /**
   * Verifies made-up tokens on this thread, by the keys there are, so that the first real one does
   * not take the second or so that it takes to load what verifies them.
   */
  public void warmUp() {
    if (jwt != null) {
      jwt.warmUp();
    }
  }

  /** Why no request has a value of this name, with the names expected; null if one can. */
  public static @Nullable String problem(String name) {
    return ValueName.problem(name);
  }

  /**
   * The value of a cookie that is written so, as rules see it; {@link Descriptor#UNUSABLE} if it is
   * of no use.
   */
  public static String cookie(String written) {
    return CookieValue.of(written);
  }

  /**
   * The host of requests with this authority, as rules see it; {@link Descriptor#UNUSABLE} if no
   * host is called so.
   */
  public static String host(String authority) {
    return Host.of(authority);
  }

  /** A method as rules see it; {@link Descriptor#UNUSABLE} if no method is called so. */
  public static String method(String sent) {
    return Method.of(sent);
  }

  /** Whether it takes a verified token to have a value of this name. */
  public static boolean isClaim(String name) {
    ValueName parsed = ValueName.parse(name);
    return parsed != null && parsed.isClaim();
  }

  /**
   * The request's values for the names of this reader. A token is verified on this thread: whoever
   * must not be held up, such as an event loop, {@linkplain #open opens} the request instead.
   */
  public Descriptor read(HttpRequest request) {
    return open(request).verify();
  }

  /** The request's values, of which the claims of a token may have to be verified first. */
  public Reading open(HttpRequest request) {
    return new Reading(request, this);
  }

  public HttpMeters meters() {
    return meters;
  }

  /** Stops fetching keys. Reading goes on with those there are. */
  @Override
  public void close() {
    if (jwt != null) {
      jwt.close();
    }
  }

  /** Closes this reader, except for what {@code other} shares with it. */
  public void closeBut(HttpReader other) {
    if (jwt != null && !jwt.sharesKeysWith(other.jwt)) {
      jwt.close();
    }
  }

  HttpSettings settings() {
    return settings;
  }

  Proxies proxies() {
    return proxies;
  }

  Plan plan() {
    return plan;
  }

  Verifications verifications() {
    return verifications;
  }

  @Nullable JwtReader jwt() {
    return jwt;
  }
}

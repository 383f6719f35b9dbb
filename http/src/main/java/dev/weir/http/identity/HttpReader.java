package dev.weir.http.identity;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters;
import dev.weir.http.jwt.JwtReader;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.jwt.VerificationPool;
import dev.weir.http.request.CookieValue;
import dev.weir.http.request.Host;
import dev.weir.http.request.HttpRequest;
import dev.weir.http.request.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values from requests that rules use. Thread-safe.
 *
 * <p>Reading never throws and never waits for a network, whatever the request. A value that is
 * missing or forged is absent. A value that is present but contradictory, malformed, too long or
 * named in {@code Connection} is {@link Descriptor#UNUSABLE}. Both are counted in {@link #meters}.
 * The names of the values:
 *
 * <ul>
 *   <li>{@code method}: in upper case
 *   <li>{@code host}: in lower case, without port and trailing dot
 *   <li>{@code path}, {@code path other-readings}: see {@link dev.weir.http.request.CanonicalPath}
 *   <li>{@code ip}: the network the client is counted under; {@code ip exact}: its address. Absent
 *       only where the peer has no address and no trusted proxy reports one
 *   <li>{@code principal}: the name of the user whom the application has authenticated, of at most
 *       8192 characters
 *   <li>{@code header x-plan}, {@code cookie session}: one value of at most 8192 characters
 *   <li>{@code trusted-header x-plan}: a header, absent unless the peer is a trusted proxy
 *   <li>{@code jwt sub}: a claim of a verified token: a text, number or boolean. {@code jwt org.id}
 *       is the claim of that name, or else {@code id} within {@code org}
 * </ul>
 *
 * <p>Values of other names are absent. A reader that fetches keys from a URL without a given
 * executor has a daemon thread until it is closed.
 */
public final class HttpReader implements AutoCloseable {
  /** The name of the value that is the authenticated user of an application. */
  public static final String PRINCIPAL = "principal";

  /**
   * How long a token waits at most for its {@linkplain RequestValues#verifyAsync asynchronous}
   * verification, which itself takes milliseconds.
   */
  public static final Duration MAX_WAIT = VerificationPool.MAX_WAIT;

  private final HttpSettings settings;
  private final InstantSource clock;
  private final @Nullable ScheduledExecutorService executor;
  private final VerificationPool verifications;
  private final HttpMeters meters;
  private final TrustedProxies proxies;
  private final ExtractionPlan plan;
  private final @Nullable JwtReader jwt;

  /**
   * A reader on the system clock.
   *
   * @throws IllegalArgumentException if the keys are in a file that has none now
   */
  public HttpReader(HttpSettings settings, Descriptor.Names names) {
    this(settings, names, InstantSource.system(), null);
  }

  /**
   * A reader on a clock.
   *
   * @param executor fetches keys from a URL; this reader does not shut it down. Null for a thread
   *     owned by this reader
   * @throws IllegalArgumentException if the keys are in a file that has none now
   */
  public HttpReader(
      HttpSettings settings,
      Descriptor.Names names,
      InstantSource clock,
      @Nullable ScheduledExecutorService executor) {
    this(settings, names, clock, executor, VerificationPool.create(clock), new HttpMeters(), null);
  }

  private HttpReader(
      HttpSettings settings,
      Descriptor.Names names,
      InstantSource clock,
      @Nullable ScheduledExecutorService executor,
      VerificationPool verifications,
      HttpMeters meters,
      @Nullable JwtReader previous) {
    this.settings = settings;
    this.clock = clock;
    this.executor = executor;
    this.verifications = verifications;
    this.meters = meters;
    this.proxies = new TrustedProxies(settings, meters);
    this.plan = new ExtractionPlan(names, settings.jwt());
    JwtSettings tokens = settings.jwt();
    if (tokens == null) {
      this.jwt = null;
    } else if (previous != null && previous.usesKeys(tokens.keys())) {
      this.jwt = previous.reconfigured(tokens, plan.claims());
    } else {
      this.jwt = JwtReader.open(tokens, plan.claims(), clock, meters, executor, verifications);
    }
  }

  /** A reader that verifies tokens on a given pool. */
  static HttpReader on(
      VerificationPool pool, HttpSettings settings, Descriptor.Names names, InstantSource clock) {
    return new HttpReader(settings, names, clock, null, pool, new HttpMeters(), null);
  }

  /**
   * A reader for changed rules. It shares the meters and the verification budgets of this reader,
   * and the keys if they have the same source; so close this reader with {@link
   * #closeExceptSharedWith} once the new one is in use.
   *
   * @throws IllegalArgumentException if the keys are in a file that has none now
   */
  public HttpReader reconfigured(HttpSettings others, Descriptor.Names otherNames) {
    return new HttpReader(others, otherNames, clock, executor, verifications, meters, jwt);
  }

  /**
   * Waits for the first keys if they come from a URL: until they are fetched, the fetch has failed,
   * or the timeout has passed.
   *
   * @return whether tokens can be verified, or no value needs one
   */
  public boolean awaitKeys(Duration timeout) {
    return jwt == null || jwt.awaitKeys(timeout);
  }

  /**
   * Verifies invalid tokens on the calling thread with the current keys, so that the first real
   * token does not wait the second or so that it takes to load the code.
   */
  public void warmUp() {
    if (jwt != null) {
      jwt.warmUp();
    }
  }

  /** Why no request has a value of this name, with the expected names; null if one can have it. */
  public static @Nullable String problem(String name) {
    return ValueName.problem(name);
  }

  /**
   * The value that rules see for a cookie value as sent; {@link Descriptor#UNUSABLE} if it is
   * malformed.
   */
  public static String cookie(String written) {
    return CookieValue.of(written);
  }

  /**
   * The host that rules see for requests with this authority; {@link Descriptor#UNUSABLE} if it is
   * malformed.
   */
  public static String host(String authority) {
    return Host.of(authority);
  }

  /** The method that rules see for one as sent; {@link Descriptor#UNUSABLE} if it is malformed. */
  public static String method(String sent) {
    return Method.of(sent);
  }

  /** Whether a value of this name comes from a verified token. */
  public static boolean isClaim(String name) {
    ValueName parsed = ValueName.parse(name);
    return parsed != null && parsed.isClaim();
  }

  /**
   * Reads the values of a request for the names of this reader. A token is verified on the calling
   * thread: a thread that must not block, such as an event loop, calls {@link #open} instead.
   */
  public Descriptor read(HttpRequest request) {
    return open(request).verify();
  }

  /** Reads the values of a request, except for the claims of a token that is not verified yet. */
  public RequestValues open(HttpRequest request) {
    return new RequestValues(request, this);
  }

  /** The counts of what was wrong with requests; shared with readers made from this one. */
  public HttpMeters meters() {
    return meters;
  }

  /** Stops fetching keys. Reading goes on with the current ones. */
  @Override
  public void close() {
    if (jwt != null) {
      jwt.close();
    }
  }

  /** Closes this reader, except for what it shares with {@code other}. */
  public void closeExceptSharedWith(HttpReader other) {
    if (jwt != null && !jwt.sharesKeysWith(other.jwt)) {
      jwt.close();
    }
  }

  HttpSettings settings() {
    return settings;
  }

  TrustedProxies proxies() {
    return proxies;
  }

  ExtractionPlan plan() {
    return plan;
  }

  VerificationPool verifications() {
    return verifications;
  }

  @Nullable JwtReader jwt() {
    return jwt;
  }
}

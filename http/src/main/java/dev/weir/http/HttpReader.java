package dev.weir.http;

import dev.weir.Descriptor;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Reads from requests the values that rules ask for.
 *
 * <p>Never throws and never waits for a network, whatever the request. What is missing,
 * contradictory, forged or too long is absent, and counted in {@link #meters}. The names it knows:
 *
 * <ul>
 *   <li>{@code method}: in upper case
 *   <li>{@code host}: in lower case, without port and trailing dot
 *   <li>{@code path}, {@code path other-reading}: see {@link CanonicalPath}
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
  private final HttpSettings settings;
  private final Descriptor.Names names;
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
    this.settings = settings;
    this.names = names;
    this.meters = new HttpMeters();
    this.proxies = new Proxies(settings, meters);
    this.plan = new Plan(names, settings.jwt());
    JwtSettings tokens = settings.jwt();
    this.jwt =
        tokens == null
            ? null
            : new JwtReader(
                tokens,
                KeySource.of(tokens.keys(), clock, meters, executor),
                plan.claims(),
                clock,
                meters);
  }

  private HttpReader(HttpReader other, Descriptor.Names names) {
    this.settings = other.settings;
    this.names = names;
    this.meters = other.meters;
    this.proxies = other.proxies;
    this.plan = new Plan(names, settings.jwt());
    this.jwt = other.jwt == null ? null : other.jwt.withClaims(plan.claims());
  }

  /**
   * A reader of other names that shares meters and keys with this one, for rules that change. They
   * are closed together.
   */
  public HttpReader withNames(Descriptor.Names others) {
    return new HttpReader(this, others);
  }

  /** Why no request has a value of this name, with the names expected; null if one can. */
  public static @Nullable String problem(String name) {
    return ValueName.problem(name);
  }

  /** The request's values for the names of this reader. */
  public Descriptor read(HttpRequest request) {
    return Descriptor.of(names, plan.values(new Reading(request, this)));
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

  HttpSettings settings() {
    return settings;
  }

  Proxies proxies() {
    return proxies;
  }

  Plan plan() {
    return plan;
  }

  @Nullable JwtReader jwt() {
    return jwt;
  }
}

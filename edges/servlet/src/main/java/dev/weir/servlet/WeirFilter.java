package dev.weir.servlet;

import dev.weir.http.request.HttpRequest;
import dev.weir.library.RulesLimiter;
import dev.weir.library.web.Admission;
import dev.weir.library.web.DenialResponse;
import dev.weir.library.web.DenialWriter;
import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests of an application by rules: a request that may pass goes on with headers that
 * say what is left, and any other is answered with 429, 403 or 503.
 *
 * <p>A request is counted once, however often it is dispatched, and however often filters with the
 * same limiter are mapped to it. Its concurrency permits are released when it is over, be it
 * asynchronous or not. The thread of the request waits for a shared store, for at most its
 * deadline, and for the delay of a leaky bucket.
 *
 * <p>Register it for the dispatcher type {@code REQUEST}, with support for asynchronous requests,
 * before filters that do work; after those that authenticate, if rules read {@code principal}. Safe
 * for use by any number of threads.
 */
public final class WeirFilter implements Filter {
  /** The limiters that have decided about a request. */
  private static final String SEEN = WeirFilter.class.getName() + ".seen";

  private volatile @Nullable Settings settings;
  private volatile @Nullable ConfiguredLimiter configured;

  /** What a filter needs to know; immutable. */
  private record Settings(
      RulesLimiter limiter,
      ResponseStyle style,
      DenialWriter denials,
      PathScope scope,
      BiFunction<HttpRequest, @Nullable Principal, @Nullable String> identity,
      BiConsumer<HttpServletRequest, Admission> observer) {}

  /** A filter that gets its settings from the init parameters of {@code web.xml}. */
  public WeirFilter() {}

  private WeirFilter(Settings settings) {
    this.settings = settings;
  }

  /** A filter for all requests, with all headers and problem documents. */
  public static WeirFilter of(RulesLimiter limiter) {
    return builder(limiter).build();
  }

  /** Builds a filter. */
  public static Builder builder(RulesLimiter limiter) {
    return new Builder(limiter);
  }

  /**
   * Reads the init parameters {@code rules}, {@code store-url}, {@code store-required}, {@code
   * include}, {@code exclude}, {@code headers}, {@code body} and {@code status}, unless this filter
   * was built in Java.
   *
   * @throws ServletException if a parameter is missing or wrong, with what was expected
   */
  @Override
  public void init(FilterConfig config) throws ServletException {
    if (settings != null) {
      return;
    }
    ConfiguredLimiter made = ConfiguredLimiter.of(config);
    configured = made;
    settings = builder(made.limiter()).style(made.style()).scope(made.scope()).build().settings;
  }

  /** Closes what {@link #init} has opened; a limiter that was given is left to its owner. */
  @Override
  public void destroy() {
    ConfiguredLimiter made = configured;
    if (made != null) {
      made.close();
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Settings known = settings;
    if (known == null) {
      throw new ServletException("WeirFilter: not initialized (expected: init was called)");
    }
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse out
        && !seen(request).contains(known.limiter)) {
      limit(known, http, out, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private static List<?> seen(ServletRequest request) {
    return request.getAttribute(SEEN) instanceof List<?> limiters ? limiters : List.of();
  }

  private static void markSeen(ServletRequest request, RulesLimiter limiter) {
    List<Object> all = new ArrayList<>(seen(request));
    all.add(limiter);
    request.setAttribute(SEEN, all);
  }

  private static void limit(
      Settings settings,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    HttpRequest received = new ServletHttpRequest(request, settings.identity);
    if (!settings.scope.covers(received.target())) {
      chain.doFilter(request, response);
      return;
    }
    markSeen(request, settings.limiter);
    Admission admission = settings.limiter.admit(received);
    boolean pending = false; // if it throws, Tomcat ends even an asynchronous request unannounced
    try {
      settings.observer.accept(request, admission);
      if (!admission.allowed()) {
        deny(response, settings.denials.write(received, admission));
        return;
      }
      if (admission.limited()) {
        admission.writeHeaders(settings.style, response::setHeader);
      }
      hold(admission.delay());
      chain.doFilter(request, response);
      pending = request.isAsyncStarted();
    } finally {
      if (pending && admission.holdsPermits()) {
        releaseAtEnd(request, admission);
      } else {
        admission.close();
      }
    }
  }

  private static void releaseAtEnd(HttpServletRequest request, Admission admission) {
    try {
      PermitRelease.atEnd(request, admission);
    } catch (IllegalStateException e) {
      admission.close(); // it was complete before it could be watched
    }
  }

  private static void hold(Duration delay) {
    if (delay.isZero()) {
      return;
    }
    try {
      Thread.sleep(delay.toMillis(), delay.toNanosPart() % 1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the application is about to stop
    }
  }

  private static void deny(HttpServletResponse response, DenialResponse denial) throws IOException {
    response.setStatus(denial.status());
    denial.headers().forEach(response::setHeader);
    byte[] body = denial.bytes();
    if (!denial.mediaType().isEmpty()) {
      response.setContentType(denial.mediaType());
    }
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(field + ": null (expected: a value)");
    }
    return value;
  }

  /** Builds a {@link WeirFilter}; null is rejected everywhere. Not thread-safe. */
  public static final class Builder {
    private final RulesLimiter limiter;
    private ResponseStyle style = ResponseStyle.DEFAULT;
    private @Nullable DenialWriter denials;
    private PathScope scope = PathScope.ALL;
    private BiFunction<HttpRequest, @Nullable Principal, @Nullable String> identity =
        (request, user) -> user == null ? null : user.getName();

    private BiConsumer<HttpServletRequest, Admission> observer = (request, admission) -> {};

    private Builder(RulesLimiter limiter) {
      this.limiter = present("limiter", limiter);
    }

    /** How decisions are shown to clients. */
    public Builder style(ResponseStyle shown) {
      this.style = present("style", shown);
      return this;
    }

    /** Who answers denied requests, instead of the style. */
    public Builder denials(DenialWriter writer) {
      this.denials = present("denials", writer);
      return this;
    }

    /** Which requests are limited; all by default. */
    public Builder scope(PathScope paths) {
      this.scope = present("scope", paths);
      return this;
    }

    /** The principal of a request, from the user whom the container or a filter authenticated. */
    public Builder identity(
        BiFunction<HttpRequest, @Nullable Principal, @Nullable String> principal) {
      this.identity = present("identity", principal);
      return this;
    }

    /** Receives every decision, before the request goes on. */
    public Builder observer(BiConsumer<HttpServletRequest, Admission> receiver) {
      this.observer = present("observer", receiver);
      return this;
    }

    /** The filter. */
    public WeirFilter build() {
      DenialWriter writer = denials == null ? DenialWriter.of(style) : denials;
      return new WeirFilter(new Settings(limiter, style, writer, scope, identity, observer));
    }
  }
}

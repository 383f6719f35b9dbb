package dev.weir.servlet;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import dev.weir.rules.yaml.RulesText;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A limiter that a filter of {@code web.xml} has made by its init parameters, and closes. */
final class ConfiguredLimiter implements AutoCloseable {
  private static final String OWNER = WeirFilter.class.getName() + ".owner ";
  private static final String INSIDE = "/WEB-INF/";

  private final Weir weir;
  private final RulesLimiter limiter;
  private final ResponseStyle style;
  private final PathScope scope;
  private final ServletContext context;
  private final String owned;

  private ConfiguredLimiter(InitParameters parameters, ServletContext context, String owned) {
    this.style = parameters.style();
    this.scope = parameters.scope();
    this.context = context;
    this.owned = owned;
    WeirBuilder builder = builder(parameters.storeUrl());
    this.weir = (parameters.isStoreRequired() ? builder.storeRequired() : builder).build();
    try {
      this.limiter = load(weir, parameters.rules(), context);
    } catch (RuntimeException e) {
      weir.close();
      throw e;
    }
  }

  /**
   * Makes the limiter of a filter.
   *
   * @throws ServletException if a parameter is missing or wrong, or if another filter of the
   *     application has the same rules and the same store, so that requests would be charged twice
   */
  static ConfiguredLimiter of(FilterConfig config) throws ServletException {
    ServletContext context = config.getServletContext();
    try {
      InitParameters parameters = new InitParameters(config);
      String owned = OWNER + parameters.rules() + " " + parameters.storeUrl();
      synchronized (ConfiguredLimiter.class) {
        if (context.getAttribute(owned) != null) {
          throw new IllegalArgumentException(
              "init parameter rules: "
                  + parameters.rules()
                  + " (expected: in one filter only, since requests would be charged twice; filter "
                  + context.getAttribute(owned)
                  + " has these rules already: add a filter-mapping to that one)");
        }
        ConfiguredLimiter made = new ConfiguredLimiter(parameters, context, owned);
        context.setAttribute(owned, config.getFilterName());
        return made;
      }
    } catch (RuntimeException e) {
      throw new ServletException("filter " + config.getFilterName() + ": " + e.getMessage(), e);
    }
  }

  private static WeirBuilder builder(@Nullable String url) {
    try {
      return url == null ? Weir.builder() : Weir.redis(url);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "init parameter " + InitParameters.STORE_URL + ": " + e.getMessage(), e);
    }
  }

  private static RulesLimiter load(Weir weir, String rules, ServletContext context) {
    String real = rules.startsWith(INSIDE) ? context.getRealPath(rules) : rules;
    try {
      return real == null ? weir.rules(packed(rules, context)) : weir.rules(Path.of(real));
    } catch (UncheckedIOException e) {
      throw unreadable(rules, e.getCause());
    }
  }

  /** The text of a file in an archive that the container has not unpacked; it never changes. */
  private static RulesText packed(String rules, ServletContext context) {
    try (@Nullable InputStream in = context.getResourceAsStream(rules)) {
      if (in == null) {
        throw unreadable(rules, null);
      }
      return new RulesText(rules, Path.of(""), in.readNBytes(RulesText.MAX_BYTES + 1));
    } catch (IOException e) {
      throw unreadable(rules, e);
    }
  }

  private static IllegalArgumentException unreadable(String rules, @Nullable IOException e) {
    String expected = "a rules file that can be read, or a directory of them";
    return new IllegalArgumentException(
        "init parameter rules: "
            + rules
            + " (expected: "
            + expected
            + (e == null ? ")" : "; " + e + ")"),
        e);
  }

  RulesLimiter limiter() {
    return limiter;
  }

  ResponseStyle style() {
    return style;
  }

  PathScope scope() {
    return scope;
  }

  @Override
  public void close() {
    context.removeAttribute(owned);
    weir.close();
  }
}

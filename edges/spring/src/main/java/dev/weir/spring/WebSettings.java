package dev.weir.spring;

import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import java.util.function.Supplier;

/** What {@code weir.web} says, for both kinds of web applications. */
public final class WebSettings {
  private WebSettings() {}

  /** How decisions are shown to clients. */
  public static ResponseStyle style(WeirProperties properties) {
    WeirProperties.Web web = properties.web();
    ResponseStyle style = ResponseStyle.DEFAULT.body(web.body());
    if (web.headers() != null) {
      style = style.headers(web.headers());
    }
    Integer status = web.status();
    ResponseStyle withoutStatus = style;
    return status == null
        ? style
        : checked(
            "weir.web.status",
            () -> withoutStatus.status(status),
            "Set a status such as 429 or 503.");
  }

  /** Which requests are limited. */
  public static PathScope scope(WeirProperties properties) {
    WeirProperties.Web web = properties.web();
    return checked(
        "weir.web.include, weir.web.exclude",
        () -> PathScope.of(web.include(), web.exclude()),
        "Write patterns such as /api/** or /health.");
  }

  private static <T> T checked(String property, Supplier<T> made, String remedy) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new WeirStartupException(property + ": " + e.getMessage(), remedy, e);
    }
  }
}

package dev.weir.servlet;

import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import dev.weir.library.web.ResponseStyle.Body;
import jakarta.servlet.FilterConfig;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The init parameters of a filter. Every method throws an {@link IllegalArgumentException} that
 * names the parameter, its value and what was expected.
 */
final class InitParameters {
  static final String RULES = "rules";
  static final String STORE_URL = "store-url";
  static final String STORE_REQUIRED = "store-required";
  static final String INCLUDE = "include";
  static final String EXCLUDE = "exclude";
  static final String HEADERS = "headers";
  static final String BODY = "body";
  static final String STATUS = "status";

  private static final List<String> NAMES =
      List.of(RULES, STORE_URL, STORE_REQUIRED, INCLUDE, EXCLUDE, HEADERS, BODY, STATUS);
  private static final String NONE = "none";

  private final FilterConfig config;

  /** Reads the parameters of a filter, which must all be known. */
  InitParameters(FilterConfig config) {
    this.config = config;
    for (String name : Collections.list(config.getInitParameterNames())) {
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "init parameter " + name + " (expected: one of " + String.join(", ", NAMES) + ")");
      }
    }
  }

  String rules() {
    String rules = text(RULES);
    if (rules == null) {
      throw rejection(
          RULES,
          "missing",
          "the path of a rules file, as in <init-param><param-name>rules</param-name>"
              + "<param-value>/WEB-INF/rules.yaml</param-value></init-param>; or build the filter"
              + " in Java with WeirFilter.builder");
    }
    return rules;
  }

  /** The URL of Redis; null if requests are counted in this process. */
  @Nullable String storeUrl() {
    return text(STORE_URL);
  }

  boolean isStoreRequired() {
    String required = text(STORE_REQUIRED);
    if (required != null && !Set.of("true", "false").contains(required)) {
      throw rejection(STORE_REQUIRED, required, "true or false");
    }
    boolean isRequired = "true".equals(required);
    if (isRequired && storeUrl() == null) {
      throw rejection(STORE_REQUIRED, "true", "only together with " + STORE_URL);
    }
    return isRequired;
  }

  PathScope scope() {
    try {
      return PathScope.of(list(INCLUDE), list(EXCLUDE));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("init parameter " + e.getMessage(), e);
    }
  }

  ResponseStyle style() {
    ResponseStyle style = ResponseStyle.DEFAULT;
    if (text(HEADERS) != null) {
      style = style.headers(families());
    }
    String body = text(BODY);
    if (body != null) {
      style = style.body(choice(BODY, body, Body.values(), ""));
    }
    String status = text(STATUS);
    if (status != null) {
      try {
        style = style.status(Integer.parseInt(status));
      } catch (IllegalArgumentException e) {
        throw rejection(STATUS, status, "a number from 400 to 599");
      }
    }
    return style;
  }

  private Set<Family> families() {
    Set<Family> families = EnumSet.noneOf(Family.class);
    List<String> names = list(HEADERS);
    if (!names.equals(List.of(NONE))) {
      names.forEach(
          name -> families.add(choice(HEADERS, name, Family.values(), ", or none alone")));
    }
    return families;
  }

  private static <E extends Enum<E>> E choice(String name, String value, E[] all, String more) {
    for (E one : all) {
      if (one.name().toLowerCase(Locale.ROOT).equals(value)) {
        return one;
      }
    }
    List<String> known =
        Arrays.stream(all).map(one -> one.name().toLowerCase(Locale.ROOT)).toList();
    throw rejection(name, value, "one of " + String.join(", ", known) + more);
  }

  /** The parts of a value between commas, spaces and line breaks. */
  private List<String> list(String name) {
    String value = text(name);
    return value == null
        ? List.of()
        : Stream.of(value.split("[,\\s]+", -1)).filter(part -> !part.isEmpty()).toList();
  }

  /** The value without blanks around it; null if there is none. */
  private @Nullable String text(String name) {
    String value = config.getInitParameter(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  private static IllegalArgumentException rejection(String name, String value, String expected) {
    return new IllegalArgumentException(
        "init parameter " + name + ": " + value + " (expected: " + expected + ")");
  }
}

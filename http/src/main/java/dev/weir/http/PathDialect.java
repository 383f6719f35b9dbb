package dev.weir.http;

import dev.weir.http.PathTokens.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How one kind of server reads a path, where they disagree.
 *
 * @param escapedSlash whether {@code %2F} separates segments: to NGINX it does, to Undertow not
 * @param backslash whether {@code \} does, as in what browsers, Node.js and Envoy call a URL
 * @param escapedBackslash whether {@code %5C} does
 * @param authority whether a host comes behind two slashes at the start, as for who resolves the
 *     target like a link
 * @param emptySegments whether a step up leaves one behind two slashes, as in RFC 3986
 */
record PathDialect(
    boolean escapedSlash,
    boolean backslash,
    boolean escapedBackslash,
    Parameters parameters,
    Stops stops,
    Dots dots,
    Trimmed trimmed,
    boolean emptySegments,
    boolean authority) {

  /** What begins parameters, and how far they reach. */
  enum Parameters {
    /** None: semicolons are part of names. NGINX, Go, Node.js, Python. */
    NONE,
    /** A semicolon, up to the next slash that is not escaped. Tomcat, Jetty, Undertow. */
    RAW,
    /** A semicolon, up to the next separator: the same behind what decodes slashes. */
    DECODED,
    /** As RAW, and once decoded again. */
    RAW_THEN_DECODED,
    /** Semicolons, escaped or not: the same behind NGINX where it passes on what it decoded. */
    ALL_DECODED,
    /** All that follows the first semicolon. Ruby servers that descend from Mongrel. */
    REST;

    private static List<Parameters> of(Set<Kind> kinds) {
      boolean escaped = kinds.contains(Kind.ESCAPED_SEMICOLON);
      if (!kinds.contains(Kind.SEMICOLON)) {
        return escaped ? List.of(NONE, ALL_DECODED) : List.of(NONE);
      }
      List<Parameters> all = new ArrayList<>(List.of(RAW, NONE, REST));
      if (kinds.contains(Kind.ESCAPED_SLASH) || kinds.contains(Kind.ESCAPED_BACKSLASH)) {
        all.add(DECODED);
      }
      if (escaped) {
        all.add(RAW_THEN_DECODED);
        all.add(ALL_DECODED);
      }
      return all;
    }
  }

  /** Where the path ends, if not at the query. */
  enum Stops {
    HASH,
    NOWHERE,
    /** Also at a space, a control character or a zero. */
    ANYWHERE,
    /** At a hash or question mark, also an escaped one: NGINX has decoded it in {@code $uri}. */
    DECODED;

    private static List<Stops> of(Set<Kind> kinds) {
      List<Stops> all = new ArrayList<>();
      if (kinds.contains(Kind.HASH)) {
        all.add(HASH);
      }
      all.add(NOWHERE);
      if (kinds.contains(Kind.STOP)) {
        all.add(ANYWHERE);
      }
      if (kinds.contains(Kind.ESCAPED_END)) {
        all.add(DECODED);
      }
      return all;
    }
  }

  /** Which segments of dots lead up or nowhere; others are names. */
  enum Dots {
    ALL,
    /** None. Undertow, and most frameworks in Python, Ruby and JavaScript. */
    NONE,
    /** Those that are not escaped: resolved before they are decoded. */
    PLAIN;

    private static List<Dots> of(Set<Kind> kinds) {
      if (!hasDots(kinds)) {
        return List.of(ALL);
      }
      return kinds.contains(Kind.PLAIN_DOTS) && kinds.contains(Kind.ESCAPED_DOTS)
          ? List.of(ALL, NONE, PLAIN)
          : List.of(ALL, NONE);
    }
  }

  /** Which names lose the dots and spaces at their end. */
  enum Trimmed {
    NONE,
    /** That at the end of the path. Caddy, since Windows does not tell such files apart. */
    LAST,
    /** Each. Windows itself. */
    ALL;

    private static List<Trimmed> of(Set<Kind> kinds) {
      boolean last = kinds.contains(Kind.TRAILING_DOT);
      boolean inside = kinds.contains(Kind.TRAILING_DOT_INSIDE);
      return inside
          ? last ? List.of(NONE, LAST, ALL) : List.of(NONE, ALL)
          : last ? List.of(NONE, LAST) : List.of(NONE);
    }
  }

  /** More than that can only be meant to confuse. */
  static final int MAX_DIALECTS = 16;

  private static final List<Boolean> YES = List.of(true);
  private static final List<Boolean> NO = List.of(false);
  private static final List<Boolean> YES_OR_NO = List.of(true, false);
  private static final List<Boolean> NO_OR_YES = List.of(false, true);

  /** Delimiters to some, parts of a name to others. */
  private static final Set<Kind> DELIMITERS =
      Set.of(
          Kind.ESCAPED_SLASH,
          Kind.BACKSLASH,
          Kind.ESCAPED_BACKSLASH,
          Kind.SEMICOLON,
          Kind.ESCAPED_SEMICOLON,
          Kind.HASH,
          Kind.ESCAPED_END,
          Kind.STOP);

  /**
   * The dialects in which a path may mean different things; none if there are too many. That is
   * also so for dots beside doubtful delimiters, where everything depends on who does what first in
   * a row of servers; no client has an honest use for it.
   */
  static List<PathDialect> of(Set<Kind> kinds) {
    boolean doubtful = kinds.stream().anyMatch(DELIMITERS::contains);
    if (kinds.contains(Kind.OUTLANDISH) || (doubtful && hasDots(kinds))) {
      return List.of();
    }
    List<PathDialect> all = new ArrayList<>();
    for (boolean slash : kinds.contains(Kind.ESCAPED_SLASH) ? YES_OR_NO : YES) {
      for (boolean backslash : kinds.contains(Kind.BACKSLASH) ? YES_OR_NO : YES) {
        for (boolean escaped : kinds.contains(Kind.ESCAPED_BACKSLASH) ? YES_OR_NO : YES) {
          for (Parameters parameters : Parameters.of(kinds)) {
            all.addAll(of(slash, backslash, escaped, parameters, kinds));
          }
        }
      }
    }
    return all.size() > MAX_DIALECTS ? List.of() : all;
  }

  private static List<PathDialect> of(
      boolean slash,
      boolean backslash,
      boolean escapedBackslash,
      Parameters parameters,
      Set<Kind> kinds) {
    boolean empty = kinds.contains(Kind.EMPTY_SEGMENT) && hasDots(kinds);
    List<PathDialect> all = new ArrayList<>();
    for (Stops stops : Stops.of(kinds)) {
      for (Dots dots : Dots.of(kinds)) {
        for (Trimmed trimmed : Trimmed.of(kinds)) {
          for (boolean emptySegments : empty ? NO_OR_YES : NO) {
            for (boolean authority : kinds.contains(Kind.AUTHORITY) ? NO_OR_YES : NO) {
              all.add(
                  new PathDialect(
                      slash,
                      backslash,
                      escapedBackslash,
                      parameters,
                      stops,
                      dots,
                      trimmed,
                      emptySegments,
                      authority));
            }
          }
        }
      }
    }
    return all;
  }

  private static boolean hasDots(Set<Kind> kinds) {
    return kinds.contains(Kind.PLAIN_DOTS) || kinds.contains(Kind.ESCAPED_DOTS);
  }
}

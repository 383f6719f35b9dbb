package dev.weir.http.request;

import dev.weir.http.request.PathTokens.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How one kind of server reads a path where servers disagree.
 *
 * @param separators what separates segments
 * @param parameters how semicolons are read
 * @param stops which characters end the path
 * @param dots which dot segments are resolved
 * @param trimmed which names lose trailing dots and spaces
 * @param emptySegments whether {@code ..} removes one empty segment of two slashes, as in RFC 3986
 * @param authority whether two slashes at the start precede a host, as for applications that
 *     resolve the target like a link
 */
record PathDialect(
    Separators separators,
    Parameters parameters,
    Stops stops,
    Dots dots,
    Trimmed trimmed,
    boolean emptySegments,
    boolean authority) {

  /**
   * What separates segments beside the slash.
   *
   * @param escapedSlash whether {@code %2F} does: in NGINX it does, in Undertow not
   * @param backslash whether {@code \} does, as in the URLs of browsers, Node.js and Envoy
   * @param escapedBackslash whether {@code %5C} does
   */
  record Separators(boolean escapedSlash, boolean backslash, boolean escapedBackslash) {
    private static List<Separators> of(Set<Kind> kinds) {
      List<Separators> all = new ArrayList<>();
      for (boolean slash : kinds.contains(Kind.ESCAPED_SLASH) ? YES_OR_NO : YES) {
        for (boolean backslash : kinds.contains(Kind.BACKSLASH) ? YES_OR_NO : YES) {
          for (boolean escaped : kinds.contains(Kind.ESCAPED_BACKSLASH) ? YES_OR_NO : YES) {
            all.add(new Separators(slash, backslash, escaped));
          }
        }
      }
      return all;
    }
  }

  /** What starts parameters, and how far they extend. */
  enum Parameters {
    /** None: semicolons are part of names. NGINX, Go, Node.js, Python. */
    NONE,
    /** A semicolon, up to the next slash that is not escaped. Tomcat, Jetty, Undertow. */
    RAW,
    /** A semicolon, up to the next separator. RAW behind a gateway that decodes slashes. */
    DECODED,
    /** As RAW, and again after decoding. */
    RAW_THEN_DECODED,
    /** Semicolons, escaped or not. RAW behind an NGINX that passes on the decoded path. */
    ALL_DECODED,
    /** A semicolon, up to the end of the path. Ruby servers derived from Mongrel. */
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

  /** Where the path ends before the query. */
  enum Stops {
    /** At a hash. */
    HASH,
    /** Nowhere. */
    NOWHERE,
    /** At a hash, a space, a control character or a zero. */
    ANYWHERE,
    /** At a hash or question mark, also an escaped one: NGINX decodes it in {@code $uri}. */
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

  /** Which dot segments are resolved; others are names. */
  enum Dots {
    /** All. */
    ALL,
    /** None. Undertow, and most frameworks in Python, Ruby and JavaScript. */
    NONE,
    /** Unescaped ones: the server resolves before it decodes. */
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

  /** Which names lose trailing dots and spaces. */
  enum Trimmed {
    /** None. */
    NONE,
    /** The last one. Caddy, because Windows does not distinguish such files. */
    LAST,
    /** All. Windows itself. */
    ALL;

    private static List<Trimmed> of(Set<Kind> kinds) {
      boolean last = kinds.contains(Kind.TRAILING_DOT);
      boolean inside = kinds.contains(Kind.TRAILING_DOT_INSIDE);
      return inside
          ? last ? List.of(NONE, LAST, ALL) : List.of(NONE, ALL)
          : last ? List.of(NONE, LAST) : List.of(NONE);
    }
  }

  /** More readings can only be an attempt to confuse. */
  static final int MAX_DIALECTS = 16;

  private static final List<Boolean> YES = List.of(true);
  private static final List<Boolean> NO = List.of(false);
  private static final List<Boolean> YES_OR_NO = List.of(true, false);
  private static final List<Boolean> NO_OR_YES = List.of(false, true);

  /** Delimiters in some servers, parts of a name in others. */
  private static final Set<Kind> AMBIGUOUS_DELIMITERS =
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
   * The dialects in which a path may have different readings; none if there are too many. There are
   * none either for dot segments together with ambiguous delimiters, where the reading depends on
   * the order of steps in a chain of servers; no honest client sends that.
   */
  static List<PathDialect> of(Set<Kind> kinds) {
    boolean ambiguous = kinds.stream().anyMatch(AMBIGUOUS_DELIMITERS::contains);
    if (kinds.contains(Kind.UNUSUAL) || (ambiguous && hasDots(kinds))) {
      return List.of();
    }
    List<PathDialect> all = new ArrayList<>();
    for (Separators separators : Separators.of(kinds)) {
      for (Parameters parameters : Parameters.of(kinds)) {
        all.addAll(of(separators, parameters, kinds));
      }
    }
    return all.size() > MAX_DIALECTS ? List.of() : all;
  }

  private static List<PathDialect> of(
      Separators separators, Parameters parameters, Set<Kind> kinds) {
    boolean empty = kinds.contains(Kind.EMPTY_SEGMENT) && hasDots(kinds);
    List<PathDialect> all = new ArrayList<>();
    for (Stops stops : Stops.of(kinds)) {
      for (Dots dots : Dots.of(kinds)) {
        for (Trimmed trimmed : Trimmed.of(kinds)) {
          for (boolean emptySegments : empty ? NO_OR_YES : NO) {
            for (boolean authority : kinds.contains(Kind.AUTHORITY) ? NO_OR_YES : NO) {
              all.add(
                  new PathDialect(
                      separators, parameters, stops, dots, trimmed, emptySegments, authority));
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

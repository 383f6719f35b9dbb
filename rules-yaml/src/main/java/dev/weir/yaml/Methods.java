package dev.weir.yaml;

import java.util.Optional;
import java.util.Set;

/** The methods that requests have. */
final class Methods {
  /** The registry of IANA (RFC 9110, section 16.1), and two that caches know. */
  private static final Set<String> KNOWN =
      Set.of(
          "ACL",
          "BAN",
          "BASELINE-CONTROL",
          "BIND",
          "CHECKIN",
          "CHECKOUT",
          "CONNECT",
          "COPY",
          "DELETE",
          "GET",
          "HEAD",
          "LABEL",
          "LINK",
          "LOCK",
          "MERGE",
          "MKACTIVITY",
          "MKCALENDAR",
          "MKCOL",
          "MKREDIRECTREF",
          "MKWORKSPACE",
          "MOVE",
          "OPTIONS",
          "ORDERPATCH",
          "PATCH",
          "POST",
          "PRI",
          "PROPFIND",
          "PROPPATCH",
          "PURGE",
          "PUT",
          "QUERY",
          "REBIND",
          "REPORT",
          "SEARCH",
          "TRACE",
          "UNBIND",
          "UNCHECKOUT",
          "UNLINK",
          "UNLOCK",
          "UPDATE",
          "UPDATEREDIRECTREF",
          "VERSION-CONTROL");

  private Methods() {}

  /** What to say of a method, in upper case, that hardly any request has; empty of others. */
  static Optional<String> doubt(String method) {
    if (KNOWN.contains(method)) {
      return Optional.empty();
    }
    String near = Words.nearest(method, KNOWN).map(one -> "; did you mean " + one + "?").orElse("");
    return Optional.of(
        Problems.shown(method)
            + " is no method that clients use (expected: such as GET"
            + near
            + ")");
  }
}

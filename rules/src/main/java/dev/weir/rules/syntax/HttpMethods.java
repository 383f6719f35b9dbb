package dev.weir.rules.syntax;

import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Spelling;
import java.util.Optional;
import java.util.Set;

/** The methods of HTTP requests. */
final class HttpMethods {
  /** The registry of IANA (RFC 9110, section 16.1), and {@code BAN} and {@code PURGE} of caches. */
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

  private HttpMethods() {}

  /** The warning about a method, in upper case, that is not known; empty if it is. */
  static Optional<String> warning(String method) {
    if (KNOWN.contains(method)) {
      return Optional.empty();
    }
    String near =
        Spelling.nearest(method, KNOWN).map(one -> "; did you mean " + one + "?").orElse("");
    return Optional.of(
        Problems.shown(method)
            + " is no method that clients use (expected: such as GET"
            + near
            + ")");
  }
}

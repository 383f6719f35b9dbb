package dev.weir.server;

import java.util.List;

/** Parts of requests that servers and gateways read differently, or not at all. */
final class OddTexts {
  static final List<String> METHODS =
      List.of(
          "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "X", "!#$");
  static final List<String> PATHS =
      List.of(
          "/v1/check",
          "/v1/check",
          "/v1/check/login",
          "/v1/check?deny=403&body=plain",
          "/v1/decide",
          "/v1/decide",
          "/v1/release",
          "/json",
          "/healthz",
          "/readyz",
          "/openapi.json");
  static final List<String> ADMIN_PATHS =
      List.of("/metrics", "/rules", "/readyz", "/explain", "/explain", "/reset", "/v1/decide");
  static final List<String> ODD_IN_PATHS =
      List.of(
          "%",
          "%0",
          "%00",
          "%zz",
          "%2e%2e/",
          "%c0%af",
          "%ff",
          "//",
          "/../",
          ";a=b",
          "?",
          "#",
          "&",
          "=",
          "\\",
          "*",
          "{}",
          "|",
          "é",
          "http://h:99999/",
          "?deny=%",
          "?deny=%zz",
          "?body=%C3",
          "?&&=&",
          "%25",
          "+",
          "^",
          "\"",
          "<",
          "`",
          ":",
          "@",
          "[::1]",
          "~");
  static final List<String> HEADERS =
      List.of(
          "X-Forwarded-Method",
          "X-Forwarded-Uri",
          "X-Forwarded-Host",
          "X-Forwarded-For",
          "X-Forwarded-Proto",
          "X-Original-Method",
          "X-Original-Uri",
          "X-Original-Host",
          "Forwarded",
          "Cookie",
          "Authorization",
          "X-Key",
          "X-Plan",
          "X-Tokens",
          "Accept",
          "Content-Type",
          "Content-Encoding",
          "Range",
          "If-None-Match",
          "Origin",
          "Sec-Fetch-Site",
          "User-Agent",
          "Via",
          "Host");
  static final List<String> VALUES =
      List.of(
          "",
          "/",
          "POST",
          "/login",
          "/a?b#c",
          "1.2.3.4",
          "1.2.3.4, 999.1.1.1, ::1",
          "[::1]:80",
          "fe80::1%eth0",
          "for=\"[2001:db8::1]:x\";by=",
          "a=b; c; =d;;; session=\"",
          "Bearer ",
          "Bearer a.b.c",
          "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.",
          "free",
          "-1",
          "1e9",
          "99999999999999999999",
          "0x10",
          "NaN",
          "%",
          "%00",
          "%ff%fe",
          "http://[",
          "//evil/..;/x",
          "a,b,,c",
          "\t \t",
          "\"",
          "{\"a\":",
          "..",
          "*",
          "gzip",
          "xn--",
          "ÿþ",
          "host:port:x",
          "::::");
  static final List<String> BODIES =
      List.of(
          "{\"values\": {\"method\": \"POST\", \"path\": \"/login\", \"ip\": \"203.0.113.7\"}}",
          "{\"operation\": \"peek\", \"cost\": 3, \"values\": {\"header x-key\": \"a\"}}",
          "{\"operation\": \"charge\", \"cost\": 9, \"values\": {\"entry tenant\": \"t\"}}",
          "{\"operation\": \"refund\", \"values\": {\"path\": \"/slow\", \"host\": \"h\"}}",
          "{\"requests\": [{\"values\": {\"path\": \"/slow\"}}, {\"values\": {}}]}",
          "{\"request\": {\"method\": \"GET\", \"target\": \"/slow?a\", \"headers\": [\"X-Key: a\"],"
              + " \"peer\": \"127.0.0.1\"}, \"values\": {\"entry tenant\": \"t\"}, \"cost\": 2}",
          "{\"domain\": \"d\", \"hitsAddend\": 2, \"descriptors\": [{\"entries\": [{\"key\": \"a\"}]}]}",
          "{\"permit\": \"AQAAAAAAAAABAAAAAAAAAAEAAAAAAAAAAQAAAAAAAAABAAAAAAAAAAE\"}",
          "{}");
  static final List<String> TOKENS =
      List.of(
          "null",
          "true",
          "-0",
          "1e400",
          "-1e-400",
          "9223372036854775808",
          "0.1",
          "[]",
          "{}",
          "\"\"",
          "\"\\ud800\"",
          "\"\\u0000\"",
          "\"%zz\"",
          "\"::1\"",
          "\"/%2e%2e/\"",
          "NaN",
          "/*x*/1",
          "'a'",
          "2251799813685248",
          "[[[]]]",
          "{\"values\":{}}",
          "\"take\"",
          "01",
          "\"\\x\"",
          "\"a\":1,");

  private OddTexts() {}
}

package dev.weir.http.request;

import java.util.Random;

/** Generates request targets of attackers by seed, with everything that servers disagree on. */
final class OddTargets {
  /** Names of protected handlers, whole and in parts. */
  private static final String[] NAMES = {
    "login",
    "login",
    "login",
    "admin",
    "admin",
    "%6Cogin",
    "l%6fgin",
    "log",
    "in",
    "LOGIN",
    "x",
    "y",
    "caf\u00c3\u00a9",
    "caf%C3%A9",
    "caf\u00e9"
  };

  private static final String[] SEPARATORS = {
    "/",
    "/",
    "/",
    "/",
    "//",
    "%2F",
    "%2f",
    "\\",
    "%5C",
    "%5c",
    "%252F",
    "%255c",
    "%c0%af",
    "%u002f",
    "\u00c0\u00af"
  };

  private static final String[] DOTS = {
    "..", "..", ".", "%2e%2e", "%2E.", ".%2e", "%2e", "%252e%252e", "%c0%ae%c0%ae", "..."
  };

  private static final String[] PARAMETERS = {
    ";", ";a", ";a=b", ";a=%2Fb", ";a=%5Cb", ";a=\\b", ";a=..", ";/", ";a=%3Bb", "%3B", "%3b",
    "%3Ba=b", "%253B", ";..", ";.", ";a=b;c"
  };

  private static final String[] ENDS = {
    "",
    "",
    "",
    "",
    "",
    "/",
    "?q=/login",
    "#/login",
    "#",
    "%00",
    "%20",
    "%0a",
    "%23",
    "%3F",
    "/.",
    "/..",
    "\u0000",
    "%",
    "%zz",
    "%ff",
    "/*",
    ":80",
    "::$DATA",
    ".html",
    "\t",
    "?",
    "%3fx",
    "\u00ff"
  };

  private static final String[] STARTS = {
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "http://h",
    "HTTP://h:80",
    "http://u@h",
    "//h",
    "http:",
    "/http://h",
    "x://h",
    "http://h;x",
    "http://h\\x",
    "http://h%2F",
    "http://",
    "h:80",
    "*",
    "."
  };

  private final Random random;

  OddTargets(long seed) {
    random = new Random(seed);
  }

  /** A random target; its characters are the bytes that the server receives. */
  String next() {
    StringBuilder target = new StringBuilder(rarely() ? one(STARTS) : "");
    int segments = 1 + random.nextInt(4);
    for (int i = 0; i < segments; i++) {
      target.append(random.nextInt(3) == 0 ? one(SEPARATORS) : "/");
      switch (random.nextInt(8)) {
        case 0, 1 -> target.append(one(DOTS));
        case 2 -> target.append(one(PARAMETERS));
        default -> target.append(one(NAMES));
      }
      if (random.nextInt(4) == 0) {
        target.append(one(PARAMETERS));
      }
    }
    return target.append(rarely() ? one(ENDS) : "").toString();
  }

  /** A target that differs little from the path of a protected handler, and may reach it. */
  String near(String path) {
    StringBuilder target = new StringBuilder();
    for (String segment : path.substring(1).split("/", -1)) {
      while (random.nextInt(3) == 0) {
        detour(target);
      }
      target.append(random.nextInt(6) == 0 ? one(SEPARATORS) : "/");
      int escaped = random.nextInt(3 * segment.length());
      for (int i = 0; i < segment.length(); i++) {
        target.append(
            i == escaped ? String.format("%%%02x", (int) segment.charAt(i)) : segment.charAt(i));
      }
      if (random.nextInt(3) == 0) {
        target.append(one(PARAMETERS));
      }
    }
    while (random.nextInt(3) == 0) {
      detour(target);
    }
    return (rarely() ? one(STARTS) : "") + target + (rarely() ? one(ENDS) : "");
  }

  /** Adds segments that some servers resolve to nothing. */
  private void detour(StringBuilder target) {
    int down = random.nextInt(3);
    for (int i = 0; i < down; i++) {
      target.append(one(SEPARATORS)).append(random.nextInt(3) == 0 ? "" : one(NAMES));
      target.append(random.nextInt(3) == 0 ? one(PARAMETERS) : "");
    }
    int up = random.nextInt(3);
    for (int i = 0; i < up; i++) {
      target.append(one(SEPARATORS)).append(one(DOTS));
      target.append(random.nextInt(3) == 0 ? one(PARAMETERS) : "");
    }
  }

  private boolean rarely() {
    return random.nextInt(4) == 0;
  }

  private String one(String[] parts) {
    return parts[random.nextInt(parts.length)];
  }
}

package dev.weir.server;

import java.util.Locale;

/**
 * The headers in which a gateway tells the original request. One family is read, and the gateway
 * says which: the other is the client's, who could write anything into it.
 */
enum ForwardedFamily {
  /** As Caddy and Traefik write them. */
  FORWARDED,
  /** As many configurations of NGINX have them. */
  ORIGINAL;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** What it is called in the path that the gateway asks at. */
  String word() {
    return word;
  }

  /** The header that tells a part of the request: {@code Method}, {@code Uri} or {@code Host}. */
  String header(String part) {
    return (this == FORWARDED ? "X-Forwarded-" : "X-Original-") + part;
  }
}

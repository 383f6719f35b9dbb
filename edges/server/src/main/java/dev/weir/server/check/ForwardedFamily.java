package dev.weir.server.check;

import java.util.Locale;

/**
 * The headers by which a gateway passes on the original request. Only one family is read, and the
 * gateway selects it: the other is the client's, which could write anything into it.
 */
enum ForwardedFamily {
  /** As Caddy and Traefik write them. */
  FORWARDED,
  /** As many configurations of NGINX have them. */
  ORIGINAL;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** Its name as a parameter in the path. */
  String label() {
    return label;
  }

  /** The header with a part of the request: {@code Method}, {@code Uri} or {@code Host}. */
  String header(String part) {
    return (this == FORWARDED ? "X-Forwarded-" : "X-Original-") + part;
  }
}

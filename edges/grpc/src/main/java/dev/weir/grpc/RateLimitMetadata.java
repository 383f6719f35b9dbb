package dev.weir.grpc;

import dev.weir.library.web.Admission;
import dev.weir.library.web.ResponseStyle;
import io.grpc.Metadata;

/** Writes the rate limit headers of a decision as metadata, whose names are in lower case. */
final class RateLimitMetadata {
  /** Nothing caches responses of gRPC. */
  private static final String CACHING = "Cache-Control";

  private RateLimitMetadata() {}

  static void write(Admission admission, ResponseStyle style, Metadata metadata) {
    if (admission.limited()) {
      admission.writeHeaders(style, (name, value) -> set(metadata, name, value));
    }
  }

  private static void set(Metadata metadata, String name, String value) {
    if (!name.equals(CACHING)) {
      Metadata.Key<String> key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
      metadata.discardAll(key);
      metadata.put(key, value);
    }
  }
}

package dev.weir.http;

import org.jspecify.annotations.Nullable;

/** How to find one named value in a request. */
interface Extractor {
  /** Finds nothing in any request. */
  Extractor ABSENT = reading -> null;

  /** The value, or null if the request has none. */
  @Nullable String value(Reading reading);
}

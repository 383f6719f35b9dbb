package dev.weir.http.identity;

import org.jspecify.annotations.Nullable;

/** Extracts one named value from a request. */
interface Extractor {
  /** Extracts nothing from any request. */
  Extractor ABSENT = request -> null;

  /** The value, or null if the request has none. */
  @Nullable String value(RequestValues request);
}

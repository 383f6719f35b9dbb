package dev.weir.library.web;

import dev.weir.http.request.HttpRequest;

/** Writes the responses to requests that may not pass. Implementations are thread-safe. */
@FunctionalInterface
public interface DenialWriter {
  /** The response to a request that was denied; called on the thread of the request. */
  DenialResponse write(HttpRequest request, Admission denied);

  /** Answers in a style. */
  static DenialWriter of(ResponseStyle style) {
    return (request, denied) -> DenialResponse.of(denied, style);
  }
}

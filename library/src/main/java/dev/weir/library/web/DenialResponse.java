package dev.weir.library.web;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The response to a request that may not pass. Immutable.
 *
 * @param status an HTTP status
 * @param headers without {@code Content-Type} and {@code Content-Length}
 * @param mediaType of the body; empty if there is no body
 */
public record DenialResponse(
    int status, Map<String, String> headers, String mediaType, String body) {
  /** Copies the headers, in their order. */
  public DenialResponse {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** The response of a style. */
  public static DenialResponse of(Admission denied, ResponseStyle style) {
    Map<String, String> headers = new LinkedHashMap<>();
    denied.writeHeaders(style, headers::put);
    return new DenialResponse(
        denied.status(style), headers, style.body().mediaType(), denied.body(style));
  }

  /** The body in UTF-8. */
  public byte[] bytes() {
    return body.getBytes(StandardCharsets.UTF_8);
  }
}

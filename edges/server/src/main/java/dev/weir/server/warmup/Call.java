package dev.weir.server.warmup;

import com.google.protobuf.ByteString;
import java.util.Map;

/**
 * An HTTP request of the warm-up.
 *
 * @param method the HTTP method
 * @param path the target, with a leading slash
 * @param headers beside those that every request has
 * @param body empty for none
 */
public record Call(String method, String path, Map<String, String> headers, ByteString body) {
  /** Copies the headers. */
  public Call {
    headers = Map.copyOf(headers);
  }

  /** A GET request. */
  public static Call get(String path, Map<String, String> headers) {
    return new Call("GET", path, headers, ByteString.EMPTY);
  }
}

package dev.weir.server.warmup;

import com.google.protobuf.ByteString;
import java.util.Map;

/**
 * A request.
 *
 * @param path begins with a slash
 * @param headers beside the ones that every request has
 * @param body empty for none
 */
public record Call(String method, String path, Map<String, String> headers, ByteString body) {
  public Call {
    headers = Map.copyOf(headers);
  }

  public static Call get(String path, Map<String, String> headers) {
    return new Call("GET", path, headers, ByteString.EMPTY);
  }
}

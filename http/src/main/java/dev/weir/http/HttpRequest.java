package dev.weir.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as its server received it, before anyone made sense of it. Method, target and authority
 * are {@link dev.weir.Descriptor#UNUSABLE} where a server received several.
 */
public interface HttpRequest {
  /** The method as sent. */
  String method();

  /**
   * The request target as sent: {@code /path?query}, {@code http://host/path} or {@code *}; nothing
   * decoded, nothing removed.
   */
  String target();

  /** The {@code Host} header or {@code :authority}, or null if there was none. */
  @Nullable String authority();

  /** All values of a header in the order received; empty if there is none. Names ignore case. */
  List<String> headers(String name);

  /**
   * Whether the proxy that passed the request on answers for a header: that it set it, or removed
   * what the client sent. Asked only where the proxy is trusted.
   */
  default boolean vouchesFor(String name) {
    return true;
  }

  /** The textual IP address of the socket's other end; null where it has none (unix sockets). */
  @Nullable String peer();
}

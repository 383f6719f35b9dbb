package dev.weir.http.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as a server received it, without any interpretation. Method, target and authority are
 * {@link dev.weir.Descriptor#UNUSABLE} if the server received several.
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
   * Whether the proxy that forwarded the request vouches for a header: it has set the header, or
   * removed the one of the client. Called only if the proxy is trusted.
   */
  default boolean vouchesFor(String name) {
    return true;
  }

  /** The textual IP address of the peer; null if it has none (unix sockets). */
  @Nullable String peer();

  /**
   * The name of the user whom the application has authenticated; null if there is none. Servers in
   * front of applications know none.
   */
  default @Nullable String principal() {
    return null;
  }
}

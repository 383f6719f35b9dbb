package dev.weir.load;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/**
 * Where load goes to: an address that was resolved once, and checked.
 *
 * @param address the address; the name is not resolved again
 * @param authority host and port for the Host header
 * @param path the path and query of the URL; {@code /} if it has none
 */
public record Target(InetSocketAddress address, String authority, String path) {
  private static final int HTTP_PORT = 80;

  /**
   * Resolves the host of a URL.
   *
   * @throws IllegalArgumentException if it is not an {@code http} URL of a host that exists
   */
  public static Target of(String url) {
    try {
      URI uri = new URI(url);
      if (!"http".equals(uri.getScheme()) || uri.getHost() == null || uri.getUserInfo() != null) {
        throw invalid(url, "a URL such as http://127.0.0.1:8080");
      }
      InetAddress host = InetAddress.getByName(uri.getHost());
      int port = uri.getPort() < 0 ? HTTP_PORT : uri.getPort();
      String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return new Target(new InetSocketAddress(host, port), uri.getRawAuthority(), path + query);
    } catch (URISyntaxException e) {
      throw invalid(url, "a URL such as http://127.0.0.1:8080");
    } catch (UnknownHostException e) {
      throw invalid(url, "a host that exists");
    }
  }

  private static IllegalArgumentException invalid(String url, String expected) {
    String shown = url.isEmpty() ? "nothing" : url;
    return new IllegalArgumentException("URL: " + shown + " (expected: " + expected + ")");
  }

  /** Whether the address is of this machine only. */
  public boolean isLoopback() {
    return address.getAddress().isLoopbackAddress();
  }
}

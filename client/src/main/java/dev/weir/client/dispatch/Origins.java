package dev.weir.client.dispatch;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The origins that were used most recently, a bounded number of them. If requests have scopes, each
 * scope of a server is an origin of its own. Thread-safe.
 */
final class Origins {
  /** How many origins are remembered; the one that was not used for longest is forgotten. */
  static final int MAX_ORIGINS = 1_000;

  private final Function<URI, String> scope;
  private final Function<String, Origin> create;
  private final Map<String, Origin> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Origin> eldest) {
          return size() > MAX_ORIGINS;
        }
      };

  Origins(Function<URI, String> scope, Function<String, Origin> create) {
    this.scope = scope;
    this.create = create;
  }

  Origin of(URI uri) {
    String within = scope.apply(uri);
    String name = within.isEmpty() ? name(uri) : name(uri) + " " + within;
    synchronized (recent) {
      return recent.computeIfAbsent(name, create);
    }
  }

  /** Scheme, host and port, without the user. */
  private static String name(URI uri) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    if (host == null) {
      return scheme + "://" + authority(uri);
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    return scheme + "://" + host.toLowerCase(Locale.ROOT) + ":" + port;
  }

  /** Of a server whose name is no host name to the JDK, such as one with an underscore. */
  private static String authority(URI uri) {
    String raw = uri.getRawAuthority();
    return raw == null ? "" : raw.substring(raw.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
  }
}

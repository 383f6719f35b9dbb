package dev.weir.benchmarks;

import java.net.URI;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to run a scenario.
 *
 * @param full longer, for figures that are to be published
 * @param peer where somebody else's server listens on this machine; null for nobody
 */
public record Options(boolean full, @Nullable Peer peer) {
  /** A server that was started by hand. */
  public record Peer(String host, int port) {}

  static final String EXPECTED = "then --full, and for rls --peer HOST:PORT on loopback";

  /**
   * @throws IllegalArgumentException if they make no sense
   */
  static Options parse(List<String> words) {
    boolean full = false;
    Peer peer = null;
    for (Iterator<String> rest = words.iterator(); rest.hasNext(); ) {
      String word = rest.next();
      if (word.equals("--full")) {
        full = true;
      } else if (word.equals("--peer") && rest.hasNext()) {
        peer = peer(rest.next());
      } else {
        throw new IllegalArgumentException(word);
      }
    }
    return new Options(full, peer);
  }

  private static Peer peer(String where) {
    URI uri = URI.create("rls://" + where);
    String host = uri.getHost();
    if (host == null || !host.matches("127\\.[0-9.]+|localhost") || uri.getPort() < 1) {
      throw new IllegalArgumentException("--peer " + where);
    }
    return new Peer(host, uri.getPort());
  }
}

package dev.weir.benchmarks.harness;

import java.net.URI;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a scenario.
 *
 * @param full whether to run longer, for figures to be published
 * @param peer a peer's server on this machine to compare with; null for none
 */
public record Options(boolean full, @Nullable Peer peer) {
  /** A server that was started by hand. */
  public record Peer(String host, int port) {}

  /** The options in words, for error messages. */
  public static final String EXPECTED = "then --full, and for rls --peer HOST:PORT on loopback";

  /**
   * Parses the arguments of a command line.
   *
   * @throws IllegalArgumentException if they are not valid
   */
  public static Options parse(List<String> args) {
    boolean full = false;
    Peer peer = null;
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String arg = rest.next();
      if (arg.equals("--full")) {
        full = true;
      } else if (arg.equals("--peer") && rest.hasNext()) {
        peer = peer(rest.next());
      } else {
        throw new IllegalArgumentException(arg);
      }
    }
    return new Options(full, peer);
  }

  private static Peer peer(String address) {
    URI uri = URI.create("rls://" + address);
    String host = uri.getHost();
    if (host == null || !host.matches("127\\.[0-9.]+|localhost") || uri.getPort() < 1) {
      throw new IllegalArgumentException("--peer " + address);
    }
    return new Peer(host, uri.getPort());
  }
}

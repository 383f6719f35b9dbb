package dev.weir.cli;

import dev.weir.server.transport.ConnectionLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many may connect. */
final class ConnectionOptions {
  /** The port for traffic and the one for gRPC each keep as many. */
  private static final int LISTENERS = 2;

  @Option(
      names = "--max-connections",
      paramLabel = "NUMBER",
      description =
          "Keep so many connections on each port at most; 10000, or as many as the process may"
              + " open files for.")
  private @Nullable String total;

  @Option(
      names = "--max-connections-per-peer",
      paramLabel = "NUMBER",
      description = "Of them from one address, or /64 of IPv6; three quarters.")
  private @Nullable String perPeer;

  /**
   * @return null for as many as there is room for
   * @throws IllegalArgumentException with what makes no sense
   */
  @Nullable ConnectionLimits limits() {
    if (total == null && perPeer == null) {
      return null;
    }
    int affordable = Math.max(1, ConnectionLimits.affordable(LISTENERS));
    ConnectionLimits all =
        total == null ? ConnectionLimits.byOpenFiles(LISTENERS) : of(total, affordable);
    if (perPeer == null) {
      return all;
    }
    long each = Flag.whole("--max-connections-per-peer", perPeer, 1, all.total());
    return new ConnectionLimits(all.total(), (int) each);
  }

  private static ConnectionLimits of(String total, int affordable) {
    try {
      return ConnectionLimits.of((int) Flag.whole("--max-connections", total, 1, affordable));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; the limit of open files decides, see ulimit -n", e);
    }
  }
}

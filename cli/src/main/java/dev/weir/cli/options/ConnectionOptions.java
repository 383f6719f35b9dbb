package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.server.transport.ConnectionLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that limit the number of connections. */
final class ConnectionOptions {
  /** The traffic port and the gRPC port, each with the same limit. */
  private static final int LISTENERS = 2;

  @Option(
      names = "--max-connections",
      paramLabel = "NUMBER",
      description =
          "Maximum number of connections on each port; 10000, or fewer if the process may not"
              + " open that many files.")
  private @Nullable String total;

  @Option(
      names = "--max-connections-per-peer",
      paramLabel = "NUMBER",
      description = "Maximum from one IPv4 address or IPv6 /64; three quarters of the above.")
  private @Nullable String perPeer;

  /**
   * The limits that the flags set.
   *
   * @return null if no flag is given; the server then derives them from its open files limit
   * @throws IllegalArgumentException if a value is invalid
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
    long each = Flag.integer("--max-connections-per-peer", perPeer, 1, all.total());
    return new ConnectionLimits(all.total(), (int) each);
  }

  private static ConnectionLimits of(String total, int affordable) {
    try {
      return ConnectionLimits.of((int) Flag.integer("--max-connections", total, 1, affordable));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + "; the limit of open files decides, see ulimit -n", e);
    }
  }
}

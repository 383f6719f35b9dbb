package dev.weir.rules.gateway;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How the gateway connects to the servers of an upstream. Immutable.
 *
 * @param protocol of the connections
 * @param keepHost whether servers see the {@code Host} of the client, instead of their own
 * @param connections the maximum number to each server
 * @param timeouts after which an exchange fails
 * @param tls how certificates are verified; only meaningful for servers with TLS
 */
public record ConnectionSettings(
    Protocol protocol, boolean keepHost, int connections, Timeouts timeouts, Tls tls) {
  /** Plain HTTP/1.1 with the client's host, and up to 256 connections to each server. */
  public static final ConnectionSettings DEFAULT =
      new ConnectionSettings(Protocol.HTTP1, true, 256, Timeouts.DEFAULT, Tls.DEFAULT);

  /** The protocol of connections to servers. */
  public enum Protocol {
    /** HTTP/1.1. */
    HTTP1,
    /** HTTP/2; without TLS by prior knowledge. */
    HTTP2
  }

  /**
   * The timeouts of an exchange.
   *
   * @param connect until a connection is established
   * @param response until the headers of the response have arrived
   * @param idle without a byte in either direction
   */
  public record Timeouts(Duration connect, Duration response, Duration idle) {
    /** One second to connect, 30 for the response, 75 without a byte. */
    public static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(75));
  }

  /**
   * How the certificates of servers are verified.
   *
   * @param authorities a file of the trusted certificates; empty for those of the system
   * @param name that a certificate must have; empty for the server's host
   */
  public record Tls(Optional<Path> authorities, Optional<String> name) {
    /** The trust of the system, and the server's host. */
    public static final Tls DEFAULT = new Tls(Optional.empty(), Optional.empty());
  }
}

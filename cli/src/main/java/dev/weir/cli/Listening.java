package dev.weir.cli;

import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.CannotListen;
import dev.weir.server.ListenAddress;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is to listen, and which flag or variable says so.
 *
 * @param hostName of the flag or variable
 * @param portName of the flag or variable
 */
record Listening(String hostName, String portName, ListenAddress address) {

  /**
   * A flag, the variable of envoyproxy/ratelimit that counts where the flag is not given, and what
   * is usual.
   */
  record Setting(String flag, @Nullable String given, String variable, String usual) {
    private String name(RatelimitEnvironment ratelimit) {
      return given == null && ratelimit.text(variable).isPresent() ? variable : flag;
    }

    private String host(RatelimitEnvironment ratelimit) {
      if (given != null && given.isBlank()) {
        throw Flag.refused(flag, "", "an address of this machine, such as 127.0.0.1");
      }
      return given != null ? given : ratelimit.text(variable).orElse(usual);
    }

    private int port(RatelimitEnvironment ratelimit, int least) {
      if (given == null) {
        return ratelimit.port(variable, Integer.parseInt(usual));
      }
      return least < 0 ? Flag.portOrNone(flag, given) : Flag.port(flag, given);
    }
  }

  /** By flags, else by variables, else as usual. */
  static Listening at(Setting host, Setting port, RatelimitEnvironment ratelimit) {
    return at(host, port, 0, ratelimit);
  }

  /** The same, where a port of -1 is none. */
  static Listening atOrNone(Setting host, Setting port, RatelimitEnvironment ratelimit) {
    return at(host, port, -1, ratelimit);
  }

  private static Listening at(
      Setting host, Setting port, int least, RatelimitEnvironment ratelimit) {
    return new Listening(
        host.name(ratelimit),
        port.name(ratelimit),
        new ListenAddress(host.host(ratelimit), port.port(ratelimit, least)));
  }

  String host() {
    return address.host();
  }

  int port() {
    return address.port();
  }

  /**
   * @throws IllegalArgumentException if two of them are the same
   */
  static void checkConflicts(List<Listening> all) {
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (all.get(i).address.conflictsWith(all.get(j).address)) {
          throw Flag.refused(
              all.get(j).portName + ", " + all.get(i).portName,
              "both " + all.get(i).port(),
              "a port for each, or 0 for a free one");
        }
      }
    }
  }

  /** Why it cannot listen, by the flag or variable that would have to change. */
  static String why(CannotListen e, List<Listening> all) {
    return all.stream()
        .filter(one -> one.address.equals(e.address()))
        .findFirst()
        .map(one -> one.refused(e.getCause() == null ? e : e.getCause()).getMessage())
        .orElse(String.valueOf(e.getMessage()));
  }

  private IllegalArgumentException refused(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
      return Flag.refused(hostName, host() + ", no such host", "an address of this machine");
    }
    if (cause instanceof BindException && message.contains("assign")) {
      String value = host() + ", which is not of this machine";
      return Flag.refused(hostName, value, "an address of this machine");
    }
    if (cause instanceof BindException && message.contains("in use")) {
      String value = port() + ", address already in use on " + host();
      return Flag.refused(portName, value, "a free port, or 0 for any that is");
    }
    if (message.contains("ermission denied")) {
      String value = port() + ", permission denied";
      return Flag.refused(portName, value, "a port that this user may listen on");
    }
    return Flag.refused(hostName + ", " + portName, address + ", " + message, "a usable address");
  }
}

package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.listen.CannotListen;
import dev.weir.server.settings.ListenAddress;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of a listener, and the flags or variables that set it.
 *
 * @param hostName the flag or variable that sets the host
 * @param portName the flag or variable that sets the port
 */
record ConfiguredListener(String hostName, String portName, ListenAddress address) {

  /**
   * A flag, the variable of envoyproxy/ratelimit that applies if the flag is not given, and the
   * default.
   *
   * @param value the value of the flag; null if it is not given
   */
  record Setting(String flag, @Nullable String value, String variable, String defaultValue) {
    private String name(RatelimitEnvironment ratelimit) {
      return value == null && ratelimit.text(variable).isPresent() ? variable : flag;
    }

    private String host(RatelimitEnvironment ratelimit) {
      if (value != null && value.isBlank()) {
        throw Flag.invalid(flag, "", "an address of this machine, such as 127.0.0.1");
      }
      return value != null ? value : ratelimit.text(variable).orElse(defaultValue);
    }

    private int port(RatelimitEnvironment ratelimit, int min) {
      if (value == null) {
        return ratelimit.port(variable, Integer.parseInt(defaultValue));
      }
      return min < 0 ? Flag.portOrNone(flag, value) : Flag.port(flag, value);
    }
  }

  /**
   * A listener by flags, else by variables, else by defaults.
   *
   * @throws IllegalArgumentException if a flag has an invalid value
   */
  static ConfiguredListener of(Setting host, Setting port, RatelimitEnvironment ratelimit) {
    return of(host, port, 0, ratelimit);
  }

  /**
   * A listener that a port of -1 turns off; by flags, else by variables, else by defaults.
   *
   * @throws IllegalArgumentException if a flag has an invalid value
   */
  static ConfiguredListener optional(Setting host, Setting port, RatelimitEnvironment ratelimit) {
    return of(host, port, -1, ratelimit);
  }

  private static ConfiguredListener of(
      Setting host, Setting port, int minPort, RatelimitEnvironment ratelimit) {
    return new ConfiguredListener(
        host.name(ratelimit),
        port.name(ratelimit),
        new ListenAddress(host.host(ratelimit), port.port(ratelimit, minPort)));
  }

  String host() {
    return address.host();
  }

  int port() {
    return address.port();
  }

  /**
   * Checks that no two listeners share a port.
   *
   * @throws IllegalArgumentException if two do, naming both flags
   */
  static void checkConflicts(List<ConfiguredListener> all) {
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (all.get(i).address.conflictsWith(all.get(j).address)) {
          throw Flag.invalid(
              all.get(j).portName + ", " + all.get(i).portName,
              "both " + all.get(i).port(),
              "a port for each, or 0 for a free one");
        }
      }
    }
  }

  /** Explains why a listener failed, by the flag or variable that has to change. */
  static String explain(CannotListen e, List<ConfiguredListener> all) {
    return all.stream()
        .filter(one -> one.address.equals(e.address()))
        .findFirst()
        .map(one -> one.bindError(e.getCause() == null ? e : e.getCause()).getMessage())
        .orElse(String.valueOf(e.getMessage()));
  }

  /** Exceptions of the transports differ, and what the operating system says is in all of them. */
  private IllegalArgumentException bindError(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
      return Flag.invalid(hostName, host() + ", no such host", "an address of this machine");
    }
    if (message.contains("assign requested address")) {
      String value = host() + ", not an address of this machine";
      return Flag.invalid(hostName, value, "an address of this machine");
    }
    if (message.contains("ddress already in use")) {
      String value = port() + ", address already in use on " + host();
      return Flag.invalid(portName, value, "a free port, or 0 to choose one");
    }
    if (message.contains("ermission denied")) {
      String value = port() + ", permission denied";
      return Flag.invalid(portName, value, "a port that this user may listen on");
    }
    return Flag.invalid(hostName + ", " + portName, address + ", " + message, "a usable address");
  }
}

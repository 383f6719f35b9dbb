package dev.weir.redis.connection;

import io.lettuce.core.protocol.RedisProtocolException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shortens errors of the driver to the one line that says what is wrong. */
public final class ErrorText {
  /** What Lettuce sometimes reports instead of the error that Redis gave, such as WRONGPASS. */
  private static final Set<String> VAGUE =
      Set.of("Connection closed prematurely", "RedisHandshakeHandler not registered");

  private ErrorText() {}

  /** Whether a reason does not say what is wrong. */
  static boolean isVague(String reason) {
    return VAGUE.contains(reason);
  }

  /** The innermost message: the outer ones say only that something failed. */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null
        && innermost.getCause() != innermost
        && !(innermost instanceof UnknownHostException)) {
      innermost = innermost.getCause();
    }
    if (innermost instanceof UnknownHostException) {
      return "the name of the host is unknown"; // the driver's words are about DNS records
    }
    if (innermost instanceof RedisProtocolException) {
      return "the server there does not speak the protocol of Redis";
    }
    if (innermost instanceof ClosedChannelException) {
      return "the server closed the connection";
    }
    String message = innermost.getMessage();
    if (message == null || message.isBlank()) {
      return innermost.getClass().getSimpleName();
    }
    if (message.startsWith("NOAUTH")) {
      return "NOAUTH, a password is required (expected: one in the URL, user:password@ or :password@)";
    }
    // A cluster client reports one line for each node it tried: "\t[redis://…]: the reason".
    List<String> lines = message.strip().lines().toList();
    return lines
        .get(lines.size() - 1)
        .replaceFirst("^\\s*\\[redis[^\\]]*]: ", "")
        .replaceFirst("^\\S+ failed with error\\(-?\\d+\\): ", ""); // from the native transport
  }

  /** A message with its line breaks replaced by spaces. */
  public static String singleLine(@Nullable String message) {
    return String.valueOf(message).strip().replaceAll("\\s*[\r\n]+\\s*", " ");
  }
}

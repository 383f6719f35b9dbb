package dev.weir.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.http.FakeRequest;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import dev.weir.testkit.Effort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends odd targets to a real server, byte for byte, and observes which of its handlers responds: a
 * request that reaches a protected handler must match the rule that protects it.
 *
 * <p>The server responds with the name of a handler: {@value #LOGIN} at {@code /login}, {@value
 * #ADMIN} at and below {@code /admin}, {@value #CAFE} at {@code /café}, {@value #OTHER} anywhere
 * else.
 */
final class ReachedHandlers {
  static final String LOGIN = "login";
  static final String ADMIN = "admin";
  static final String CAFE = "cafe";
  static final String OTHER = "other";

  private static final long SEED = Long.getLong("weir.seed", 20_261_118);
  private static final int TARGETS = Effort.of("weir.targets", 3_000, 100_000);
  private static final int TIMEOUT_MILLIS = 30_000;

  private static final Limit LIMIT = Limit.fixedWindow(1, Duration.ofHours(1));
  private static final RuleBook RULES =
      RuleBook.of(
          List.of(
              Rule.named(LOGIN).match(Condition.path("/login")).limit(LIMIT).build(),
              Rule.named(ADMIN).match(Condition.path("/admin/**")).limit(LIMIT).build(),
              Rule.named(CAFE).match(Condition.path("/café")).limit(LIMIT).build()),
          KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]));

  private final int port;
  private @Nullable Socket socket;

  private ReachedHandlers(int port) {
    this.port = port;
  }

  /** Sends targets that servers disagree on. */
  static void assertReachedHandlersMatchTheirRules(int port) throws IOException {
    assertReachedHandlersMatchTheirRules(port, HttpSettings.DEFAULT);
  }

  static void assertReachedHandlersMatchTheirRules(int port, HttpSettings settings)
      throws IOException {
    assertReachedHandlersMatchTheirRules(port, settings, target -> true);
  }

  /**
   * Sends the targets that servers disagree on and a predicate accepts.
   *
   * @param isSent which targets are sent
   */
  static void assertReachedHandlersMatchTheirRules(
      int port, HttpSettings settings, Predicate<String> isSent) throws IOException {
    HttpReader reader = new HttpReader(settings, RULES.names());
    ReachedHandlers handlers = new ReachedHandlers(port);
    OddTargets odd = new OddTargets(SEED);
    List<String> missed = new ArrayList<>();
    int reached = 0;
    for (int i = 0; i < TARGETS; i++) {
      String target =
          switch (i % 4) {
            case 0 -> odd.next();
            case 1 -> odd.near("/admin/x");
            default -> odd.near("/login");
          };
      String handler = isSent.test(target) ? handlers.reach(target) : null;
      if (handler != null && !handler.equals(OTHER)) {
        reached++;
        if (!rules(reader.read(FakeRequest.get(target))).contains(handler)) {
          missed.add(handler + " by " + target + " read as " + CanonicalPath.of(target, true));
        }
      }
    }
    handlers.close();
    assertThat(missed).as("seed %d: handlers reached past their rules", SEED).isEmpty();
    assertThat(reached)
        .as("targets of %d that reached a handler", TARGETS)
        .isGreaterThan(TARGETS / 10);
  }

  private static List<String> rules(Descriptor read) {
    return RULES.match(read).charges().stream().map(charge -> charge.rule().name()).toList();
  }

  private @Nullable String reach(String target) throws IOException {
    Socket connected = socket;
    if (connected == null) {
      connected = new Socket(InetAddress.getLoopbackAddress(), port);
      connected.setTcpNoDelay(true);
      connected.setSoTimeout(TIMEOUT_MILLIS);
      socket = connected;
    }
    String request = "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
    try {
      connected.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return read(new BufferedInputStream(connected.getInputStream()), target);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      close(); // rejected by closing the connection
      return null;
    }
  }

  private @Nullable String read(InputStream in, String target) throws IOException {
    String status = line(in);
    if (!status.startsWith("HTTP/1.")) {
      close();
      return null;
    }
    int length = -1;
    boolean last = false;
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      String lower = field.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      }
      last |= lower.startsWith("connection:") && lower.contains("close");
    }
    String body =
        new String(length < 0 ? new byte[0] : in.readNBytes(length), StandardCharsets.ISO_8859_1);
    boolean ok = status.startsWith("200", 9);
    if (!ok || last || length < 0) {
      close();
    }
    assertThat(!ok || length >= 0).as("a response of known length to %s", target).isTrue();
    return ok ? body : null;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("closed");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  private void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}

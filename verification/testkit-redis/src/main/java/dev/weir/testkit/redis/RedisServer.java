package dev.weir.testkit.redis;

import dev.weir.testkit.Ports;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One Redis server on a free loopback port, in its own directory.
 *
 * <p>The server persists nothing unless configured to. It can be killed, paused and restarted,
 * always on the same port. {@link #close} ends the process and deletes the directory; so does the
 * end of the JVM.
 *
 * <p>Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
  static final Duration REPLY = Duration.ofSeconds(20);
  private static final Duration START = Duration.ofSeconds(60);
  private static final int ATTEMPTS = 5;

  private final RedisProcess process;
  private final int port;
  private final Optional<String> password;

  private RedisServer(RedisProcess process, int port, Optional<String> password) {
    this.process = process;
    this.port = port;
    this.password = password;
  }

  /** Starts the chosen program with additional lines of configuration, and awaits its PONG. */
  public static RedisServer start(String... config) {
    return start(RedisBinary.chosen(), config);
  }

  /** Starts a program with additional lines of configuration, and awaits its PONG. */
  public static RedisServer start(RedisBinary binary, String... config) {
    List<String> lines = new ArrayList<>(List.of("save \"\"", "appendonly no"));
    lines.addAll(List.of(config));
    return start(binary, lines, List.of());
  }

  /** Starts a program as a sentinel. */
  static RedisServer sentinel(RedisBinary binary, String... config) {
    return start(binary, List.of(config), List.of("--sentinel"));
  }

  private static RedisServer start(RedisBinary binary, List<String> config, List<String> options) {
    Optional<String> password =
        config.stream()
            .filter(line -> line.startsWith("requirepass "))
            .map(line -> line.substring("requirepass ".length()))
            .findFirst();
    for (int attempt = 1; ; attempt++) {
      int port = Ports.free();
      List<String> lines = new ArrayList<>(List.of("bind 127.0.0.1", "port " + port));
      lines.addAll(config);
      RedisServer server =
          new RedisServer(new RedisProcess(binary, lines, options), port, password);
      try {
        server.launch();
        return server;
      } catch (RuntimeException e) {
        boolean taken = server.process.logTail().contains("Address already in use");
        server.close();
        // Another process took the port after it was found free.
        if (!taken || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void launch() {
    process.spawn();
    try {
      Await.until("PONG from " + this, START, this::answers);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(e.getMessage() + "\n" + process.logTail(), e);
    }
  }

  /** Whether this process answers, and not another one that took the port. */
  private boolean answers() {
    long pid = process.pid();
    return text("PING").equals("PONG") && info("server", "process_id").equals(Long.toString(pid));
  }

  /** The port on loopback; the same after a restart. */
  public int port() {
    return port;
  }

  /** The URL of the server, such as {@code redis://127.0.0.1:12345}. */
  public String url() {
    return "redis://" + address();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** The working directory of the process, to which paths in the configuration are relative. */
  public Path directory() {
    return process.directory();
  }

  /** A new connection; the caller closes it. */
  public RespConnection connect() {
    RespConnection connection = RespConnection.open(port, REPLY);
    try {
      password.ifPresent(given -> connection.command("AUTH", given));
      return connection;
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Sends a command on a new connection; see {@link RespConnection#command}. */
  public @Nullable Object command(String... words) {
    try (RespConnection connection = connect()) {
      return connection.command(words);
    }
  }

  /** The reply to a command, which must be a string. */
  public String text(String... words) {
    return as(String.class, words);
  }

  /** The reply to a command, which must be an integer. */
  public long number(String... words) {
    return as(Long.class, words);
  }

  /** The reply to a command, which must be an array. */
  public List<?> list(String... words) {
    return as(List.class, words);
  }

  private <T> T as(Class<T> type, String... words) {
    Object reply = command(words);
    if (!type.isInstance(reply)) {
      String exchange = String.join(" ", words) + ": " + reply;
      throw new IllegalStateException(exchange + " (expected: a " + type.getSimpleName() + ")");
    }
    return type.cast(reply);
  }

  /** One field of {@code INFO section}. */
  public String info(String section, String field) {
    return field(text("INFO", section), field);
  }

  /** The value of a line {@code name:value}. */
  static String field(String lines, String name) {
    return lines
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + name + " in: " + lines));
  }

  /** The CPU time of the process since its start, in user and in system mode. */
  public long cpuMicros() {
    String cpu = text("INFO", "cpu");
    return new BigDecimal(field(cpu, "used_cpu_user"))
        .add(new BigDecimal(field(cpu, "used_cpu_sys")))
        .movePointRight(6)
        .longValueExact();
  }

  /** Whether the process exists; it may be paused. */
  public boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the process with SIGKILL; does nothing if it has ended already. */
  public void kill() {
    process.kill();
  }

  /** Kills the process if it runs, and starts another on the same port, in the same directory. */
  public void restart() {
    kill();
    launch();
  }

  /** Stops the process with SIGSTOP: connections stay open, and get no replies. */
  public void pause() {
    process.signal("STOP");
  }

  /** Continues the process with SIGCONT: it answers what was sent meanwhile. */
  public void resume() {
    process.signal("CONT");
  }

  @Override
  public void close() {
    process.close();
  }

  @Override
  public String toString() {
    return address();
  }
}

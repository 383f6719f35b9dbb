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
 * One Redis on a free loopback port, in a directory of its own.
 *
 * <p>It keeps nothing on disk unless its configuration asks for it. It may be killed, paused and
 * restarted, always on the same port. {@link #close} ends the process and deletes the directory; so
 * does the end of the JVM.
 */
public final class RedisServer implements AutoCloseable {
  static final Duration REPLY = Duration.ofSeconds(2);
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

  /** Starts the chosen program with further lines of configuration, and waits until it answers. */
  public static RedisServer start(String... config) {
    return start(RedisBinary.chosen(), config);
  }

  /** Starts a program with further lines of configuration, and waits until it answers. */
  public static RedisServer start(RedisBinary binary, String... config) {
    List<String> lines = new ArrayList<>(List.of("save \"\"", "appendonly no"));
    lines.addAll(List.of(config));
    return start(binary, lines, List.of());
  }

  /** The same program as a sentinel. */
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
        // Somebody was quicker between the look for a free port and its use.
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

  /** Whether this very process answers, not another one on a port that was not free after all. */
  private boolean answers() {
    long pid = process.pid();
    return text("PING").equals("PONG") && info("server", "process_id").equals(Long.toString(pid));
  }

  public int port() {
    return port;
  }

  /** Such as {@code redis://127.0.0.1:12345}. */
  public String url() {
    return "redis://" + address();
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Where the process runs; files that the configuration names without a path are in here. */
  public Path directory() {
    return process.directory();
  }

  /** A connection for several commands that belong together; the caller closes it. */
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

  /** Sends a command on a connection of its own; see {@link RespConnection#command}. */
  public @Nullable Object command(String... words) {
    try (RespConnection connection = connect()) {
      return connection.command(words);
    }
  }

  /** The reply to a command that is answered with a text. */
  public String text(String... words) {
    return as(String.class, words);
  }

  /** The reply to a command that is answered with a number. */
  public long number(String... words) {
    return as(Long.class, words);
  }

  /** The reply to a command that is answered with a list. */
  public List<?> list(String... words) {
    return as(List.class, words);
  }

  private <T> T as(Class<T> type, String... words) {
    Object reply = command(words);
    if (!type.isInstance(reply)) {
      String said = String.join(" ", words) + ": " + reply;
      throw new IllegalStateException(said + " (expected: a " + type.getSimpleName() + ")");
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

  /** What the process has used of the processor since its start, in user and in system mode. */
  public long cpuMicros() {
    String cpu = text("INFO", "cpu");
    return new BigDecimal(field(cpu, "used_cpu_user"))
        .add(new BigDecimal(field(cpu, "used_cpu_sys")))
        .movePointRight(6)
        .longValueExact();
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the process with SIGKILL; nothing if it is gone already. */
  public void kill() {
    process.kill();
  }

  /** Kills the process if it runs, and starts another on the same port and in its directory. */
  public void restart() {
    kill();
    launch();
  }

  /** SIGSTOP: connections stay open, and nobody answers. */
  public void pause() {
    process.signal("STOP");
  }

  /** SIGCONT: what was sent meanwhile is answered now. */
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

package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import dev.weir.testkit.Ports;
import dev.weir.testkit.Programs;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A real gateway, started with the recipe that the docs show. */
final class Gateway implements AutoCloseable {
  final int port;
  private final Process process;

  private Gateway(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  static Gateway nginx(Path directory, int weir, int app) throws IOException {
    return nginx(directory, weir, app, recipe -> recipe);
  }

  /**
   * Starts a gateway.
   *
   * @param edit changes the recipe
   */
  static Gateway nginx(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    int port = Ports.free();
    String server =
        patient(edit.apply(recipe("gateways.md", "nginx", "server {", port, weir, app)));
    Path conf = directory.resolve("nginx.conf");
    Files.writeString(
        conf,
        """
        daemon off;
        pid nginx.pid;
        error_log stderr;
        events {}
        http {
          access_log off;
          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        %s
        }
        """
            .formatted(server));
    return start(port, directory, "nginx", "-p", directory.toString(), "-c", conf.toString());
  }

  /** On a busy machine a response may take longer than any proxy should wait. */
  private static String patient(String recipe) {
    return Effort.isThorough()
        ? recipe
        : recipe.replaceAll("(proxy_connect_timeout|proxy_read_timeout) \\d+m?s", "$1 10s");
  }

  static Gateway caddy(Path directory, int weir, int app) throws IOException {
    return caddy(directory, weir, app, recipe -> recipe);
  }

  static Gateway caddy(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    int port = Ports.free();
    Path conf = directory.resolve("Caddyfile");
    String recipe = recipe("gateways.md", "caddyfile", "forward_auth", port, weir, app);
    Files.writeString(conf, edit.apply(recipe));
    return start(
        port, directory, "caddy", "run", "--adapter", "caddyfile", "--config", conf.toString());
  }

  /**
   * On a machine that is busy with other tests, an answer may take longer than any proxy should
   * wait.
   */
  static Gateway envoy(Path directory, int weir, int app, boolean denies) throws IOException {
    return envoyWithRatelimit(
        directory,
        weir,
        app,
        recipe -> recipe.replace("failure_mode_deny: false", "failure_mode_deny: " + denies));
  }

  static Gateway envoyWithRatelimit(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    return envoy(directory, "ratelimit.v3.RateLimit", weir, app, edit);
  }

  /** Envoy that calls {@code /v1/check}. */
  static Gateway envoyWithExtAuthz(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    return envoy(directory, "ext_authz.v3.ExtAuthz", weir, app, edit);
  }

  private static Gateway envoy(
      Path directory, String filter, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    int port = Ports.free();
    Path conf = directory.resolve("envoy.yaml");
    String recipe =
        recipe("envoy.md", "yaml", filter, port, weir, app)
            .replace(" timeout: 2s", " timeout: 10s");
    Files.writeString(conf, edit.apply(recipe));
    return start(
        port,
        directory,
        "envoy",
        "--config-path",
        conf.toString(),
        "--concurrency",
        "1",
        // Otherwise two instances on one machine conflict.
        "--disable-hot-restart");
  }

  /** HAProxy with these lines in its frontend, in front of a server with a fixed response. */
  static Gateway haproxy(Path directory, int backend, List<String> frontend) throws IOException {
    return haproxy(directory, "127.0.0.1", backend, frontend);
  }

  /**
   * Starts HAProxy.
   *
   * @param source the local address of its connections to the server
   */
  static Gateway haproxy(Path directory, String source, int backend, List<String> frontend)
      throws IOException {
    int port = Ports.free();
    Path conf = directory.resolve("haproxy.cfg");
    Files.writeString(
        conf,
        """
        defaults
          mode http
          timeout connect 10s
          timeout client 30s
          timeout server 30s
        frontend all
          bind 127.0.0.1:%d
        %s
          default_backend one
        backend one
          server one 127.0.0.1:%d source %s
        """
            .formatted(port, String.join("\n", frontend), backend, source));
    return start(port, directory, "haproxy", "-db", "-f", conf.toString());
  }

  /** The recipe of the docs, with the ports of this test. */
  private static String recipe(
      String page, String language, String with, int port, int weir, int app) throws IOException {
    return block(page, language, with)
        .replaceAll("(127\\.0\\.0\\.1:|port_value: )808[01]\\b", "$1" + weir)
        .replaceAll("(127\\.0\\.0\\.1:|port_value: )9000\\b", "$1" + app)
        .replaceAll("(127\\.0\\.0\\.1:|port_value: )80\\b", "$1" + port);
  }

  /** The code block of a page that contains a text. */
  static String block(String page, String language, String with) throws IOException {
    String docs = Files.readString(Repository.path("docs").resolve(page));
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(docs)
        .results()
        .map(found -> found.group(1))
        .filter(found -> found.contains(with))
        .findFirst()
        .orElseThrow();
  }

  private static Gateway start(int port, Path directory, String... command) throws IOException {
    command[0] = Programs.require(command[0]).toString();
    Path log = directory.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", directory.toString());
    Process process = builder.redirectOutput(log.toFile()).start();
    Gateway gateway = new Gateway(port, process);
    for (int i = 0; i < 200; i++) {
      if (answers(port)) {
        return gateway;
      }
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
      pause();
    }
    gateway.close();
    throw new AssertionError(Files.readString(log));
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroy);
  }
}

package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Ports;
import dev.weir.testkit.Programs;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A real NGINX or Envoy, configured as the docs say, up to a change. */
final class TestGateway implements AutoCloseable {
  private final int port;
  private final Process process;

  private TestGateway(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  /** Where clients reach it. */
  String url() {
    return "http://127.0.0.1:" + port;
  }

  /**
   * Starts NGINX.
   *
   * @param edit changes the recipe of the docs, which has the ports 8080 and 9000 at first
   */
  static TestGateway nginx(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    int port = Ports.free();
    String server =
        onPorts(edit.apply(block("gateways.md", "nginx", "server {")), port, weir, app)
            // A busy machine may take longer than any gateway should wait.
            .replaceAll("(proxy_connect_timeout|proxy_read_timeout) \\d+m?s", "$1 10s");
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

  /**
   * Starts Envoy, which calls {@code /v1/check}.
   *
   * @param edit changes the recipe of the docs, which has the ports 8080 and 9000 at first
   */
  static TestGateway envoy(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws IOException {
    int port = Ports.free();
    String recipe =
        onPorts(edit.apply(block("envoy.md", "yaml", "ext_authz.v3.ExtAuthz")), port, weir, app)
            .replace(" timeout: 2s", " timeout: 10s");
    Path conf = directory.resolve("envoy.yaml");
    Files.writeString(conf, recipe);
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

  private static String onPorts(String recipe, int port, int weir, int app) {
    return recipe
        .replaceAll("(127\\.0\\.0\\.1:|port_value: )8080\\b", "$1" + weir)
        .replaceAll("(127\\.0\\.0\\.1:|port_value: )9000\\b", "$1" + app)
        .replaceAll("(127\\.0\\.0\\.1:|port_value: )80\\b", "$1" + port);
  }

  private static String block(String page, String language, String with) throws IOException {
    String docs = Files.readString(Repository.path("docs").resolve(page));
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(docs)
        .results()
        .map(found -> found.group(1))
        .filter(found -> found.contains(with))
        .findFirst()
        .orElseThrow();
  }

  private static TestGateway start(int port, Path directory, String program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(Programs.require(program).toString()));
    command.addAll(List.of(arguments));
    Path log = directory.resolve("gateway.log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", directory.toString());
    TestGateway gateway = new TestGateway(port, builder.redirectOutput(log.toFile()).start());
    for (int i = 0; i < 400; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.isConnected()).isTrue();
        return gateway;
      } catch (IOException e) {
        assertThat(gateway.process.isAlive()).as(Files.readString(log)).isTrue();
        pause();
      }
    }
    gateway.close();
    throw new AssertionError(Files.readString(log));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
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

package dev.weir.replay.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.testkit.Programs;
import dev.weir.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real NGINX logs in several formats is read back as it was sent. */
class NginxLogsTest {
  private static final int REQUESTS = 100;
  private static final Map<String, String> FORMATS = new LinkedHashMap<>();

  static {
    FORMATS.put(
        "full",
        "'$remote_addr - $remote_user [$time_local] $msec $request_time \"$request\" $status '"
            + " '$body_bytes_sent \"$http_referer\" \"$http_user_agent\" \"$http_x_plan\""
            + " \"$http_host\"'");
    FORMATS.put(
        "lines",
        "escape=json '{\"msec\":\"$msec\",\"request_time\":$request_time,\"request\":\"$request\",'"
            + " '\"remote_addr\":\"$remote_addr\",\"status\":$status,\"http_host\":\"$http_host\",'"
            + " '\"http_user_agent\":\"$http_user_agent\",\"http_x_plan\":\"$http_x_plan\"}'");
    FORMATS.put(
        "parts",
        "'$msec $request_time $remote_addr $status $request_method \"$request_uri\" \"$http_host\""
            + " ' '\"$http_x_plan\" $http_user_agent'");
  }

  @TempDir private Path folder = Path.of("");

  @Test
  void whatWasSentIsReadBack() {
    String nginx = Programs.require("nginx").toString();
    Seeds.run(random -> check(nginx, random));
  }

  private void check(String nginx, SplittableRandom random) throws Exception {
    for (String name : FORMATS.keySet()) {
      Files.deleteIfExists(folder.resolve(name + ".log"));
    }
    Path socket = folder.resolve("nginx.sock");
    Files.deleteIfExists(socket);
    Files.writeString(folder.resolve("nginx.conf"), config(socket));
    Process server =
        new ProcessBuilder(
                nginx, "-p", folder.toString(), "-e", "error.log", "-c", folder + "/nginx.conf")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out.log").toFile())
            .start();
    List<String> targets = new ArrayList<>();
    List<String> agents = new ArrayList<>();
    try {
      awaitSocket(server, socket);
      for (int i = 0; i < REQUESTS; i++) {
        targets.add("/" + text(random));
        agents.add("u" + text(random) + "\"\\ é" + text(random) + "u");
        send(socket, targets.get(i), agents.get(i));
      }
    } finally {
      server.destroy(); // writes what it has
      assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
    for (Map.Entry<String, String> format : FORMATS.entrySet()) {
      Path log = folder.resolve(format.getKey() + ".log");
      ReadOptions options =
          ReadOptions.defaults().withFormat(LogFormats.nginx(format.getValue() + ";"));
      compare(Logs.read(options, log), targets, agents);
    }
    Logs detected = Logs.read(ReadOptions.defaults(), folder.resolve("lines.log"));
    compare(detected, targets, agents);
    Logs combined = Logs.read(ReadOptions.defaults(), folder.resolve("combined.log"));
    assertThat(combined.targets()).isEqualTo(targets);
  }

  private static void compare(Logs logs, List<String> targets, List<String> agents) {
    assertThat(logs.reasons).isEmpty();
    assertThat(logs.targets()).isEqualTo(targets);
    for (int i = 0; i < targets.size(); i++) {
      LogEntry entry = logs.entries.get(i);
      assertThat(entry.headers("user-agent")).containsExactly(agents.get(i));
      assertThat(entry.headers("X-Plan")).containsExactly("gold");
      assertThat(entry.authority()).isEqualTo("a.example");
      assertThat(entry.method()).isEqualTo("GET");
      assertThat(entry.status()).isEqualTo(204);
      assertThat(entry.resolutionMicros()).isEqualTo(1_000);
    }
  }

  private static void send(Path socket, String target, String agent) throws IOException {
    String text =
        "GET "
            + target
            + " HTTP/1.1\r\nHost: a.example\r\nUser-Agent: "
            + agent
            + "\r\nX-Plan: gold\r\nConnection: close\r\n\r\n";
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
      InputStream in = Channels.newInputStream(channel);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      in.transferTo(out);
      assertThat(out.toString(StandardCharsets.ISO_8859_1)).as(target).startsWith("HTTP/1.1 204");
    }
  }

  /** NGINX listens a moment after its start. */
  private static void awaitSocket(Process server, Path socket) throws InterruptedException {
    for (int i = 0; i < 1_000 && !Files.exists(socket); i++) {
      assertThat(server.waitFor(10, TimeUnit.MILLISECONDS)).as("NGINX has ended").isFalse();
    }
  }

  private static String config(Path socket) {
    StringBuilder formats = new StringBuilder();
    FORMATS.forEach(
        (name, format) ->
            formats
                .append("log_format " + name + " " + format + ";\n")
                .append("access_log " + name + ".log " + name + ";\n"));
    return """
    daemon off;
    master_process off;
    pid nginx.pid;
    events {}
    http {
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      %s
      access_log combined.log combined;
      server {
        listen unix:%s;
        location / { return 204; }
      }
    }
    """
        .formatted(formats, socket);
  }

  /** Bytes that NGINX takes in targets and headers. */
  private static String text(SplittableRandom random) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(20); i > 0; i--) {
      int one = random.nextInt(4) == 0 ? 0x80 + random.nextInt(128) : '!' + random.nextInt(94);
      out.append((char) (one == '#' || one == '/' || one == '.' || one == '%' ? 'x' : one));
    }
    return out.toString();
  }
}

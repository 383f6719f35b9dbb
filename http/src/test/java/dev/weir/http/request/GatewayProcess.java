package dev.weir.http.request;

import dev.weir.testkit.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An installed server, started for a test. */
final class GatewayProcess implements AutoCloseable {
  private final Process process;

  private GatewayProcess(Process process) {
    this.process = process;
  }

  /** Starts a program and waits until it listens. */
  static GatewayProcess start(Path directory, int port, String program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add(0, Programs.require(program).toString());
    Path log = directory.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", directory.toString());
    GatewayProcess started = new GatewayProcess(builder.redirectOutput(log.toFile()).start());
    while (!listens(port)) {
      if (!started.process.isAlive()) {
        throw new IOException(Files.readString(log));
      }
      Thread.onSpinWait();
    }
    return started;
  }

  boolean isRunning() {
    return process.isAlive();
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
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

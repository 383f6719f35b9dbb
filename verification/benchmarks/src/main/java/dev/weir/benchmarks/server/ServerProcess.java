package dev.weir.benchmarks.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server in a process of its own, which ends with this JVM at the latest. */
public final class ServerProcess implements AutoCloseable {
  private static final Set<ServerProcess> OPEN = ConcurrentHashMap.newKeySet();
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(180);
  private static final int POLL_MILLIS = 100;
  private static final int REPLY_MILLIS = 5_000;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(ServerProcess::close)));
  }

  private final Process process;
  private final Path log;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    OPEN.add(this);
  }

  /**
   * Starts a command, whose output goes to a file.
   *
   * @param launcher what the command begins with, such as one of {@link Cores}
   */
  public static ServerProcess start(
      List<String> launcher, List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    List<String> words = new ArrayList<>(launcher);
    words.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    return new ServerProcess(builder.start(), log);
  }

  /**
   * Waits until a GET of a URL is answered with 200.
   *
   * @throws IllegalStateException if the process ends before, or does not answer in time
   */
  public ServerProcess await(String url) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!answers(url)) {
      if (!process.isAlive() || System.nanoTime() - start > START_NANOS) {
        close();
        throw new IllegalStateException("no 200 from " + url + ":\n" + Files.readString(log));
      }
      Thread.sleep(POLL_MILLIS);
    }
    return this;
  }

  private static boolean answers(String url) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setReadTimeout(REPLY_MILLIS);
    connection.setRequestProperty(Load.KEY_HEADER, "probe");
    try {
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (ConnectException e) {
      return false;
    } finally {
      connection.disconnect();
    }
  }

  /** The ids of the process and its children. */
  public List<Long> pids() {
    return handles().map(ProcessHandle::pid).toList();
  }

  private Stream<ProcessHandle> handles() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  /** The CPU time of the process and its children so far. */
  public Duration cpu() {
    return handles()
        .map(handle -> handle.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    OPEN.remove(this);
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }
}

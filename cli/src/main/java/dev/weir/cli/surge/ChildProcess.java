package dev.weir.cli.surge;

import dev.weir.cli.command.DaemonThreads;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that this one started, and ends: when it is closed, and also when this process is ended
 * by a signal. Its standard input stays open until then.
 */
final class ChildProcess implements AutoCloseable {
  private static final int LINES_KEPT = 5;
  private static final long STOP_SECONDS = 5;

  private final String name;
  private final Process process;
  private final Thread hook;
  private final CompletableFuture<String> found = new CompletableFuture<>();
  private final Deque<String> lastLines = new ArrayDeque<>();

  private ChildProcess(String name, Process process, Pattern ready) {
    this.name = name;
    this.process = process;
    this.hook = new Thread(process::destroyForcibly, "weir-end-" + name);
    Runtime.getRuntime().addShutdownHook(hook);
    DaemonThreads.create(() -> read(ready)).start();
  }

  /**
   * Starts a process.
   *
   * @param name for messages
   * @param ready a line with it says that the process is ready
   */
  static ChildProcess start(String name, List<String> command, Pattern ready) throws Failure {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new ChildProcess(name, process, ready);
    } catch (IOException e) {
      throw new Failure(ExitCode.UNEXPECTED, name + ": cannot start: " + e.getMessage());
    }
  }

  /** Reads the output to its end, so that the process never waits for somebody to read. */
  private void read(Pattern ready) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        keep(line);
        Matcher matcher = ready.matcher(line);
        if (matcher.find()) {
          found.complete(matcher.group(1));
        }
      }
    } catch (IOException e) {
      // The process has ended.
    }
    found.completeExceptionally(new IOException("ended"));
  }

  private synchronized void keep(String line) {
    lastLines.add(line);
    if (lastLines.size() > LINES_KEPT) {
      lastLines.remove();
    }
  }

  /** The lines that it wrote last. */
  synchronized List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  /**
   * Waits until the process is ready.
   *
   * @return the first group of the pattern
   * @throws Failure if the process ends before, or is not ready in time
   */
  String awaitReady(Duration atMost) throws Failure, InterruptedException {
    try {
      return found.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw failure("not ready within " + atMost.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw failure("ended before it was ready");
    }
  }

  /** A failure with what the process said. */
  private Failure failure(String why) {
    String said = String.join(" | ", lastLines());
    return new Failure(
        ExitCode.UNEXPECTED, name + ": " + why + (said.isEmpty() ? "" : "; it said: " + said));
  }

  long pid() {
    return process.pid();
  }

  /** Ends the process, by force if it does not end by itself. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This process is being ended, and the hook has run.
    }
  }
}

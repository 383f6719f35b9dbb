package dev.weir.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The process of one server, which can be killed and restarted, and its directory, which stays.
 * Safe for use by any number of threads.
 */
final class RedisProcess implements AutoCloseable {
  private static final Set<RedisProcess> OPEN = ConcurrentHashMap.newKeySet();
  private static final int TAIL_LINES = 20;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(RedisProcess::closeAll));
  }

  private final Path directory;
  private final Path log;
  private final List<String> command;
  private @Nullable Process process;
  private boolean closed;

  RedisProcess(RedisBinary binary, List<String> config, List<String> arguments) {
    try {
      directory = Files.createTempDirectory("weir-redis");
      log = directory.resolve("log");
      Path file = Files.write(directory.resolve("redis.conf"), config);
      command =
          Stream.concat(Stream.of(binary.program().toString(), file.toString()), arguments.stream())
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    OPEN.add(this);
  }

  private static void closeAll() {
    for (RedisProcess each : OPEN) {
      try {
        each.close();
      } catch (RuntimeException e) {
        System.err.println("WARNING: " + each.directory + ": " + e);
      }
    }
  }

  Path directory() {
    return directory;
  }

  synchronized void spawn() {
    if (closed) {
      throw new IllegalStateException("closed: " + directory);
    }
    try {
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  synchronized long pid() {
    if (process == null || !process.isAlive()) {
      throw new IllegalStateException("not running: " + command.get(0) + " in " + directory);
    }
    return process.pid();
  }

  /** Ends the process with SIGKILL, running or stopped, and returns when it has ended. */
  synchronized void kill() {
    if (process != null) {
      // A child that writes a snapshot would continue in a directory that is being deleted.
      List<ProcessHandle> children = process.descendants().toList();
      waitFor(process.destroyForcibly());
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /**
   * Sends a signal by name, with the shell's built-in {@code kill}, which exists even where the
   * program does not.
   */
  void signal(String name) {
    String command = "kill -" + name + " " + pid();
    try {
      Process shell = new ProcessBuilder("sh", "-c", command).inheritIO().start();
      waitFor(shell);
      if (shell.exitValue() != 0) {
        throw new IllegalStateException(command + ": exit code " + shell.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void waitFor(Process process) {
    boolean interrupted = Thread.interrupted();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        throw new IllegalStateException("does not end: process " + process.pid());
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The last lines that the process wrote. */
  String logTail() {
    try {
      List<String> lines = Files.readString(log, StandardCharsets.ISO_8859_1).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "no log: " + e.getMessage();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    kill();
    OPEN.remove(this);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // Closed before.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

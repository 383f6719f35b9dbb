package dev.weir.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Processes that generate load: each reads tasks, one per line, and answers each with a line.
 *
 * <p>They live for all tasks, so that they compile their code once, and not while they measure. Not
 * thread-safe.
 */
public final class Workers implements AutoCloseable {
  private final List<Worker> workers = new ArrayList<>();

  private record Worker(Process process, OutputStream tasks, BufferedReader results) {}

  /**
   * How to start a process.
   *
   * @param prefix what its command begins with, such as a program that assigns cores
   * @param moreClassPath what to add to the class path, with the separator in front
   */
  public record Launch(List<String> prefix, String moreClassPath) {
    static final Launch PLAIN = new Launch(List.of(), "");
  }

  /** The work of a worker. */
  public interface Job {
    String run(String task) throws Exception;
  }

  /**
   * Starts the processes.
   *
   * @param main a class whose main method calls {@link #serve}
   */
  public Workers(int count, int heapMegabytes, Class<?> main, String... arguments)
      throws IOException {
    this(count, heapMegabytes, Launch.PLAIN, main, arguments);
  }

  /**
   * Starts the processes in a particular way.
   *
   * @param main a class whose main method calls {@link #serve}
   */
  public Workers(int count, int heapMegabytes, Launch launch, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(launch.prefix);
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Xms" + heapMegabytes + "m");
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-XX:+UseSerialGC");
    String classPath = System.getProperty("java.class.path") + launch.moreClassPath;
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    for (int i = 0; i < count; i++) {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      workers.add(new Worker(process, process.getOutputStream(), lines(process.getInputStream())));
    }
  }

  private static BufferedReader lines(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
  }

  /** Runs tasks until there are no more; called in the process of a worker. */
  public static void serve(Job job) throws Exception {
    BufferedReader tasks = lines(System.in);
    for (String task = tasks.readLine(); task != null; task = tasks.readLine()) {
      System.out.println(job.run(task));
    }
  }

  /**
   * Gives a task to {@code count} workers at the same time, and waits for all results.
   *
   * @throws IllegalStateException if a worker fails
   */
  public List<String> run(String task, int count) throws IOException {
    byte[] line = (task + "\n").getBytes(StandardCharsets.US_ASCII);
    for (Worker worker : workers.subList(0, count)) {
      worker.tasks.write(line);
      worker.tasks.flush();
    }
    List<String> results = new ArrayList<>();
    for (Worker worker : workers.subList(0, count)) {
      String result = worker.results.readLine();
      if (result == null) {
        throw new IllegalStateException("the load process failed: " + task);
      }
      results.add(result);
    }
    return results;
  }

  @Override
  public void close() {
    for (Worker worker : workers) {
      try {
        worker.tasks.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    for (Worker worker : workers) {
      try {
        if (!worker.process.waitFor(10, TimeUnit.SECONDS)) {
          worker.process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        worker.process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}

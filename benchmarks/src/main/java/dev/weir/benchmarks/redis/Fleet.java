package dev.weir.benchmarks.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that make load, each a {@link Load}. */
final class Fleet implements AutoCloseable {
  private final List<Member> members = new ArrayList<>();

  private record Member(Process process, OutputStream tasks, BufferedReader results) {}

  Fleet(int size, String url) throws IOException {
    for (int i = 0; i < size; i++) {
      Process process =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/java",
                  "-Xms512m",
                  "-Xmx512m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Load.class.getName(),
                  url)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      members.add(
          new Member(
              process,
              process.getOutputStream(),
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))));
    }
  }

  /** Gives the same task to some of the processes at the same time, and waits for all of them. */
  Result run(Task task, int processes) throws IOException {
    byte[] line = (task.line() + "\n").getBytes(StandardCharsets.US_ASCII);
    for (Member member : members.subList(0, processes)) {
      member.tasks.write(line);
      member.tasks.flush();
    }
    List<Result> results = new ArrayList<>();
    for (Member member : members.subList(0, processes)) {
      String result = member.results.readLine();
      if (result == null) {
        throw new IllegalStateException("the load failed: " + task.line());
      }
      results.add(Result.parse(result));
    }
    Result all = Result.together(results);
    if (all.denied() > 0) {
      throw new IllegalStateException(
          task.line() + ": " + all.denied() + " denied (expected: 0, the limit is that high)");
    }
    return all;
  }

  @Override
  public void close() {
    for (Member member : members) {
      try {
        member.tasks.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    for (Member member : members) {
      try {
        if (!member.process.waitFor(10, TimeUnit.SECONDS)) {
          member.process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        member.process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}

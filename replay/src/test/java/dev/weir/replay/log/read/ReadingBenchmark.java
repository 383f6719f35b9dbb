package dev.weir.replay.log.read;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.replay.log.line.LogFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Measures how long a line takes, from the file to a request in order; run by hand. The arguments
 * are the number of lines and of callers.
 */
final class ReadingBenchmark {
  private static final int ROUNDS = 4;
  private static final String AGENT =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/12";

  private ReadingBenchmark() {}

  /** Runs all. */
  public static void main(String[] args) throws IOException {
    int lines = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int callers = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    run("combined", LogFormats.named("combined"), lines, callers);
    run(
        "nginx",
        LogFormats.nginx(
            "'$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent"
                + " \"$http_referer\" \"$http_user_agent\" $msec $request_time'"),
        lines,
        callers);
    run("envoy-json", LogFormats.named("envoy-json"), lines, callers);
  }

  private static void run(String name, LogFormat format, int lines, int callers)
      throws IOException {
    Path file = Files.createTempFile("weir-lines", ".log");
    try {
      write(file, name, lines, callers);
      for (int round = 0; round < ROUNDS; round++) {
        for (boolean fields : new boolean[] {true, false}) {
          ReadOptions options = ReadOptions.defaults().withFormat(format);
          options = fields ? options : options.withoutFields();
          long start = cpuNanos();
          long count = read(file, options);
          long nanos = cpuNanos() - start;
          System.out.printf(
              Locale.ROOT,
              "%-10s round %d, fields %-5s: %d requests, %d ns per line, %d MB/s%n",
              name,
              round,
              fields,
              count,
              nanos / lines,
              Files.size(file) * 1_000 / nanos);
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  /** Of this thread: other processes do not count, but neither does the collection of garbage. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long read(Path file, ReadOptions options) throws IOException {
    long count = 0;
    try (LogSource source = AccessLogs.open(List.of(file), options)) {
      LogEntry entry = source.next();
      while (entry != null) {
        count += entry.status() > 0 ? 1 : 0;
        entry = source.next();
      }
    }
    return count;
  }

  private static void write(Path file, String name, int lines, int callers) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      for (int i = 0; i < lines; i++) {
        out.write(line(name, i, random, callers).getBytes(StandardCharsets.ISO_8859_1));
      }
    }
  }

  private static String line(String name, int i, SplittableRandom random, int callers) {
    int caller = random.nextInt(callers);
    String ip = "10." + (caller >> 16) + "." + (caller >> 8 & 255) + "." + (caller & 255);
    String path = "/api/v1/items/" + random.nextInt(3_000) + "?page=" + random.nextInt(10);
    String agent = AGENT + random.nextInt(50);
    int second = i / 5_000;
    int milli = i / 5 % 1_000;
    String clock =
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", 10 + second / 3_600, second / 60 % 60, second % 60);
    if (name.equals("envoy-json")) {
      return String.format(
          Locale.ROOT,
          "{\"start_time\":\"2026-10-10T%s.%03dZ\",\"method\":\"GET\",\"path\":\"%s\",\"protocol\":"
              + "\"HTTP/2\",\"response_code\":200,\"response_flags\":\"-\",\"bytes_received\":0,"
              + "\"bytes_sent\":%d,\"duration\":%d,\"x_forwarded_for\":\"%s\",\"user_agent\":\"%s\","
              + "\"request_id\":\"%016x-%016x\",\"authority\":\"api.example.com\",\"upstream_host\":"
              + "\"10.0.0.1:8080\",\"downstream_remote_address\":\"%s:%d\"}%n",
          clock,
          milli,
          path,
          random.nextInt(9_999),
          random.nextInt(300),
          ip,
          agent,
          random.nextLong(),
          random.nextLong(),
          ip,
          1024 + random.nextInt(60_000));
    }
    String combined =
        String.format(
            Locale.ROOT,
            "%s - - [10/Oct/2026:%s +0000] \"GET %s HTTP/1.1\" 200 %d \"https://www.example.com/\""
                + " \"%s\"",
            ip,
            clock,
            path,
            random.nextInt(9_999),
            agent);
    if (name.equals("combined")) {
      return combined + "\n";
    }
    return String.format(
        Locale.ROOT,
        "%s %d.%03d 0.%03d%n",
        combined,
        1_791_626_400 + second,
        milli,
        random.nextInt(300));
  }
}

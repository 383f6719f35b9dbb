package dev.weir.benchmarks.replay;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Writes access logs like those of NGINX: of many callers, some of whom send most of the requests.
 * The same seed gives the same log.
 */
final class GeneratedLog {
  /** How NGINX describes the lines with milliseconds. */
  static final String FORMAT =
      "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent"
          + " \"$http_referer\" \"$http_user_agent\" $msec $request_time";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final String[] AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
    "curl/8.5.0",
    "okhttp/4.12.0"
  };
  private static final long START_MILLIS = 1_800_000_000_000L;

  private final int callers;
  private final SplittableRandom random = new SplittableRandom(7);
  private long second = -1;
  private String time = "";

  /** Logs of at most so many callers. */
  GeneratedLog(int callers) {
    this.callers = callers;
  }

  /**
   * Writes a log.
   *
   * @param perSecond how many requests come in a second
   * @param millis whether lines end with the time in milliseconds and the duration; without, the
   *     format is the combined one
   */
  void write(Path file, long lines, int perSecond, boolean millis) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      StringBuilder line = new StringBuilder();
      for (long i = 0; i < lines; i++) {
        line.setLength(0);
        append(line, START_MILLIS + i * 1_000 / perSecond, millis);
        out.append(line);
      }
    }
  }

  private void append(StringBuilder line, long atMillis, boolean millis) {
    if (atMillis / 1_000 != second) {
      second = atMillis / 1_000;
      time = TIME.format(Instant.ofEpochSecond(second));
    }
    double skewed = random.nextDouble();
    int caller = (int) (callers * skewed * skewed * skewed);
    line.append(10 + (caller >>> 24)).append('.').append(caller >>> 16 & 255).append('.');
    line.append(caller >>> 8 & 255).append('.').append(caller & 255);
    line.append(" - - [").append(time).append("] \"").append(request());
    line.append(" HTTP/1.1\" 200 ").append(random.nextInt(100_000)).append(" \"-\" \"");
    line.append(AGENTS[caller % AGENTS.length]).append('"');
    if (millis) {
      line.append(' ').append(second).append('.');
      appendThreeDigits(line, (int) (atMillis % 1_000));
      line.append(" 0.000");
    }
    line.append('\n');
  }

  private String request() {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return "POST /login";
    }
    if (kind < 6) {
      return "GET /search?q=" + random.nextInt(10_000) + "&page=" + random.nextInt(20);
    }
    return kind < 14
        ? "GET /api/v1/users/" + random.nextInt(1_000_000) + "/orders"
        : "GET /static/js/app-" + random.nextInt(50) + ".js";
  }

  private static void appendThreeDigits(StringBuilder line, int number) {
    line.append((char) ('0' + number / 100));
    line.append((char) ('0' + number / 10 % 10));
    line.append((char) ('0' + number % 10));
  }
}

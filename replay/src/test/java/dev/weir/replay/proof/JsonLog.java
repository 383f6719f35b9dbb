package dev.weir.replay.proof;

import dev.weir.replay.TestEntry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes requests and decisions as JSON lines, in the form of the access log of the gateway. */
final class JsonLog implements AutoCloseable {
  private final BufferedWriter out;

  JsonLog(Path file) throws IOException {
    this.out = Files.newBufferedWriter(file);
  }

  void write(TestEntry request, @Nullable String deniedBy) throws IOException {
    String micros = String.format(Locale.ROOT, "%06d", request.arrivalMicros() % 1_000_000);
    String time =
        Instant.ofEpochSecond(request.arrivalMicros() / 1_000_000)
            .toString()
            .replace("Z", "." + micros + "Z");
    OptionalLong duration = request.durationMicros();
    out.write(
        "{\"time\":\""
            + time
            + "\",\"client\":\""
            + request.peer()
            + "\",\"method\":\""
            + request.method()
            + "\",\"target\":\""
            + request.target()
            + "\",\"status\":"
            + (deniedBy == null ? 200 : 429)
            + ",\"outcome\":\""
            + (deniedBy == null ? "complete" : "denied")
            + "\",\"rule\":\""
            + (deniedBy == null ? "" : deniedBy)
            + "\",\"micros\":"
            + duration.getAsLong()
            + "}\n");
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}

package dev.weir.replay.log.read;

import dev.weir.replay.log.format.FormatDetector;
import dev.weir.replay.log.input.LineReader;
import dev.weir.replay.log.line.Draft;
import dev.weir.replay.log.line.EntryAssembler;
import dev.weir.replay.log.line.LineParser;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.RecordedRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The requests of one file, in the order of its lines. For one thread. */
final class LogFile implements Closeable {
  private final String name;
  private final LineReader reader;
  private final LineParser parser;
  private final LogFormat format;
  private final EntryAssembler assembler;
  private final LineCounts counts;
  private final Draft draft = new Draft();
  private final TimeGuard guard;
  private boolean ended;

  LogFile(
      String name,
      int index,
      LineReader reader,
      LogFormat format,
      boolean keepsFields,
      LineCounts counts) {
    this.name = name;
    this.reader = reader;
    this.format = format;
    this.parser = format.parser();
    this.assembler = new EntryAssembler(parser.headers(), index, keepsFields);
    this.counts = counts;
    this.guard = new TimeGuard((request, why) -> counts.onBad(name, request.line(), why));
  }

  long bytes() {
    return reader.bytes();
  }

  /** The next request; null at the end. */
  @Nullable RecordedRequest next() throws IOException {
    RecordedRequest waiting = guard.poll();
    if (waiting != null) {
      return waiting;
    }
    while (!ended) {
      RecordedRequest request = read();
      RecordedRequest admitted = request == null ? null : guard.offer(request);
      if (admitted != null) {
        return admitted;
      }
    }
    return guard.poll();
  }

  /** Reads one line; null if it is no request. */
  private @Nullable RecordedRequest read() throws IOException {
    LineReader.Found found = reader.next();
    if (found == LineReader.Found.END) {
      ended = true;
      guard.end();
      return null;
    }
    counts.onLine();
    long number = reader.number();
    switch (found) {
      case TOO_LONG ->
          counts.onBad(
              name, number, "too long (expected: at most " + LineReader.MAX_LINE + " bytes)");
      case DAMAGE ->
          counts.onBad(
              name,
              number,
              "compressed data is cut off or damaged: " + reader.damage() + " (expected: its end)");
      default -> {
        return line(number);
      }
    }
    return null;
  }

  private @Nullable RecordedRequest line(long number) {
    int start = reader.start();
    int end = reader.end();
    if (start == end) {
      counts.onSkipped();
      return null;
    }
    draft.begin(reader.buffer(), start, end);
    if (parser.parse(draft)) {
      if (!draft.isSkipped()) {
        RecordedRequest request = assembler.assemble(draft, number);
        if (request != null) {
          return request;
        }
      }
      if (draft.isSkipped()) {
        counts.onSkipped();
        return null;
      }
    }
    counts.onBad(name, number, counts.wantsExample() ? describe(start, end) : "");
    return null;
  }

  private String describe(int start, int end) {
    String problem = "not " + format.name() + ": " + draft.problem();
    byte[] line = Arrays.copyOfRange(reader.buffer(), start, end);
    String text = new String(line, StandardCharsets.ISO_8859_1);
    boolean binary = text.chars().anyMatch(c -> c < ' ' && c != '\t');
    return problem + (binary ? "; it is binary" : new FormatDetector().looksLike(line));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

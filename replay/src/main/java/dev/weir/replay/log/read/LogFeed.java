package dev.weir.replay.log.read;

import dev.weir.replay.log.format.FormatDetector;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.replay.log.input.LineReader;
import dev.weir.replay.log.line.Draft;
import dev.weir.replay.log.line.EntryAssembler;
import dev.weir.replay.log.line.LineParser;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.RecordedRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One of several files that are merged: its requests in the order of their arrival. It can be
 * closed after its first lines have been looked at, and is opened again when its time comes; a year
 * of rotated logs needs neither the memory nor the descriptors of all of them. For one thread.
 */
final class LogFeed implements Closeable {
  private static final int PROBE_LINES = 100;
  private static final int PROBE_BYTES = 64 << 10;
  private static final Path STANDARD_INPUT = Path.of("-");

  private final Path path;
  private final int index;
  private final ReadOptions options;
  private final LineCounts counts;
  private ReorderBuffer order;
  private @Nullable LogFormat format;
  private @Nullable LineReader reader;
  private @Nullable LogFile file;
  private @Nullable RecordedRequest head;
  private long key = Long.MIN_VALUE;
  private long bytes;
  private String formatName = "";

  LogFeed(Path path, int index, ReadOptions options, LineCounts counts) {
    this.path = path;
    this.index = index;
    this.options = options;
    this.counts = counts;
    this.order = new ReorderBuffer(options.horizon().toNanos() / 1_000, options.maxHeld(), counts);
  }

  /** Its number among all files. */
  int index() {
    return index;
  }

  String name() {
    return isStandardInput() ? "standard input" : path.toString();
  }

  private boolean isStandardInput() {
    return path.equals(STANDARD_INPUT);
  }

  OptionalLong size() throws IOException {
    return isStandardInput() ? OptionalLong.empty() : OptionalLong.of(Files.size(path));
  }

  /** The name of its format, once it has been probed. */
  String formatName() {
    return formatName;
  }

  /** Opens the file, and decides on its format by its first lines. */
  void probe() throws IOException {
    LineReader opened = open();
    List<byte[]> lines = opened.peek(PROBE_LINES, PROBE_BYTES);
    FormatDetector detector = new FormatDetector();
    LogFormat given = options.format();
    if (given == null) {
      // A file without lines is of any format; it may still be damaged.
      given = lines.isEmpty() ? LogFormats.named("combined") : detector.detect(lines);
      if (given == null) {
        throw new IOException(
            name() + ": unknown format (expected: an access log); " + detector.advice(lines));
      }
    } else {
      FormatDetector.Fit fit = detector.fit(given, lines);
      if (fit.isNone()) {
        throw new IOException(
            name()
                + ": not one of the first lines is "
                + given.name()
                + ": "
                + fit.problem()
                + "; "
                + detector.advice(lines));
      }
    }
    format = given;
    formatName = given.name();
    key = firstArrival(given, lines);
  }

  /** Closes the file until it is needed, if it can be opened again. */
  void suspend() throws IOException {
    if (!isStandardInput() && reader != null) {
      reader.close();
      reader = null;
    }
  }

  private LineReader open() throws IOException {
    LineReader opened =
        isStandardInput() ? LineReader.of(name(), options.standardInput()) : LineReader.open(path);
    reader = opened;
    return opened;
  }

  /** No request of the file arrived before, except late ones. */
  private long firstArrival(LogFormat known, List<byte[]> lines) {
    LineParser parser = known.parser();
    EntryAssembler assembler = new EntryAssembler(parser.headers(), index, false);
    Draft draft = new Draft();
    long first = Long.MAX_VALUE;
    for (byte[] line : lines) {
      draft.begin(line, 0, line.length);
      RecordedRequest request =
          parser.parse(draft) && !draft.isSkipped() ? assembler.assemble(draft, 1) : null;
      first = request == null ? first : Math.min(first, request.arrivalMicros());
    }
    return first == Long.MAX_VALUE ? Long.MIN_VALUE : first - options.horizon().toNanos() / 1_000;
  }

  /** By what feeds are ordered: the arrival of the next request, or a moment before it. */
  long key() {
    return key;
  }

  /** The next request; null if it is not known yet. */
  @Nullable RecordedRequest head() {
    return head;
  }

  /** Goes on to the next request; false at the end. */
  boolean advance() throws IOException {
    LogFormat known = format;
    if (known == null) {
      return false;
    }
    LogFile from = file;
    if (from == null) {
      LineReader opened = reader == null ? open() : reader;
      from = new LogFile(name(), index, opened, known, options.keepsFields(), counts);
      file = from;
    }
    RecordedRequest next = order.poll();
    while (next == null) {
      RecordedRequest read = from.next();
      if (read == null) {
        order.end();
        next = order.poll();
        break;
      }
      order.add(read);
      next = order.poll();
    }
    head = next;
    key = next == null ? Long.MAX_VALUE : next.arrivalMicros();
    if (next == null) {
      close();
      order = new ReorderBuffer(0, 1, counts); // the old one has room for many requests
    }
    return next != null;
  }

  /** How many bytes of the file have been read to the end of what is known. */
  long bytes() {
    return file == null ? bytes : file.bytes();
  }

  @Override
  public void close() throws IOException {
    bytes = bytes();
    file = null;
    format = null;
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}

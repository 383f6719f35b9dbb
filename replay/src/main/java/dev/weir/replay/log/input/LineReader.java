package dev.weir.replay.log.input;

import dev.weir.replay.log.line.Bytes;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipException;

/**
 * The lines of a file, in a buffer that is used again and again. A line that is longer than the
 * limit is skipped without ever being held. For one thread.
 */
public final class LineReader implements Closeable {
  /** The length of a line at most. */
  public static final int MAX_LINE = 64 << 10;

  private static final int BUFFER_BYTES = 256 << 10;

  /** What {@link #next} found. */
  public enum Found {
    /** A line: see {@link #start} and {@link #end}. */
    LINE,
    /** A line that is too long. */
    TOO_LONG,
    /** What cannot be decompressed; it is the last. */
    DAMAGE,
    /** Nothing more. */
    END
  }

  private final CountingInput raw;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private int at;
  private int limit;
  private long number;
  private String damage = "";
  private String lastDamage = "";
  private boolean ended;

  private LineReader(String name, InputStream file) throws IOException {
    raw = new CountingInput(name, file);
    InputStream text;
    try {
      text = Decompression.of(name, raw);
    } catch (EOFException | ZipException e) {
      damage = e.getMessage() == null ? "damaged" : e.getMessage();
      text = InputStream.nullInputStream();
    }
    in = text;
    fill();
    if (limit >= 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB) {
      at = buffer[2] == (byte) 0xBF ? 3 : 0;
    }
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be read, with its name
   */
  public static LineReader open(Path file) throws IOException {
    InputStream in;
    try {
      in = Files.newInputStream(file);
    } catch (IOException e) {
      throw new IOException(file + ": cannot be opened (expected: a readable file)", e);
    }
    return of(file.toString(), in);
  }

  /**
   * Reads a stream.
   *
   * @throws IOException if it cannot be read, with its name
   */
  public static LineReader of(String name, InputStream in) throws IOException {
    try {
      return new LineReader(name, in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Goes on to the next line.
   *
   * @throws IOException if the file cannot be read, with its name
   */
  public Found next() throws IOException {
    int searched = at;
    while (true) {
      int mark = Bytes.indexOf(buffer, searched, limit, '\n');
      if (mark >= 0) {
        return line(mark, mark + 1);
      }
      if (limit - at > MAX_LINE + 1) {
        return skipLong();
      }
      searched = limit;
      if (ended) {
        return last();
      }
      int moved = at;
      fill();
      searched -= moved - at;
    }
  }

  private Found last() {
    if (!damage.isEmpty()) {
      at = limit;
      number++;
      start = limit;
      end = limit;
      lastDamage = damage;
      damage = "";
      return Found.DAMAGE;
    }
    return at < limit ? line(limit, limit) : Found.END;
  }

  private Found line(int mark, int next) {
    start = at;
    end = mark > at && buffer[mark - 1] == '\r' ? mark - 1 : mark;
    at = next;
    number++;
    return end - start > MAX_LINE ? Found.TOO_LONG : Found.LINE;
  }

  private Found skipLong() throws IOException {
    number++;
    while (true) {
      int mark = Bytes.indexOf(buffer, at, limit, '\n');
      if (mark >= 0) {
        at = mark + 1;
        return Found.TOO_LONG;
      }
      at = limit;
      if (ended) {
        return Found.TOO_LONG;
      }
      fill();
    }
  }

  /** Moves what is left to the front, and reads more behind it. */
  private void fill() throws IOException {
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    limit -= at;
    at = 0;
    try {
      int count = ended ? -1 : in.read(buffer, limit, buffer.length - limit);
      ended = count < 0;
      limit += Math.max(0, count);
    } catch (EOFException | ZipException e) {
      ended = true;
      damage = e.getMessage() == null ? "damaged" : e.getMessage();
    }
  }

  /**
   * The first lines, whole ones, without going on.
   *
   * @throws IOException if the file cannot be read, with its name
   */
  public List<byte[]> peek(int maxLines, int maxBytes) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    int from = at;
    while (lines.size() < maxLines && from - at < maxBytes) {
      int mark = Bytes.indexOf(buffer, from, limit, '\n');
      if (mark < 0 && !ended && limit - at < maxBytes + MAX_LINE) {
        int moved = at;
        fill();
        from -= moved - at;
        continue;
      }
      int to = mark < 0 ? limit : mark;
      if (mark < 0 && (from >= limit || !ended)) {
        return lines;
      }
      boolean carriage = to > from && buffer[to - 1] == '\r';
      if (to - from <= MAX_LINE) {
        lines.add(Arrays.copyOfRange(buffer, from, carriage ? to - 1 : to));
      }
      from = to + 1;
    }
    return lines;
  }

  /** The buffer that has the line, until the next one. */
  public byte[] buffer() {
    return buffer;
  }

  /** Where the line starts. */
  public int start() {
    return start;
  }

  /** Where the line ends, without its end mark. */
  public int end() {
    return end;
  }

  /** The number of the line, from 1. */
  public long number() {
    return number;
  }

  /** How many bytes of the file have been read. */
  public long bytes() {
    return raw.bytes();
  }

  /** What is wrong with compressed data. */
  public String damage() {
    return lastDamage;
  }

  @Override
  public void close() throws IOException {
    in.close();
    raw.close();
  }
}

package dev.weir.http.jwt;

import dev.weir.http.HttpMeters;
import dev.weir.http.HttpMeters.Event;
import dev.weir.internal.Rejections;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys from a JWKS file. Thread-safe.
 *
 * <p>Once a second one request checks whether the file has changed, and reads it if so. While the
 * file cannot be read, for instance because it is being written, the previous keys stay in use.
 */
final class FileKeys implements KeySource {
  private static final long CHECK_INTERVAL_MILLIS = 1000;

  /** The attributes of the file when it was read. */
  private record Stamp(FileTime modified, long size, @Nullable Object file) {}

  private final Path path;
  private final InstantSource clock;
  private final HttpMeters meters;
  private final AtomicLong nextCheckMillis;
  private volatile PublicKeys keys;
  private volatile Stamp stamp;

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if the file has no keys now
   */
  FileKeys(Path path, InstantSource clock, HttpMeters meters) {
    this.path = path;
    this.clock = clock;
    this.meters = meters;
    this.nextCheckMillis = new AtomicLong(clock.millis() + CHECK_INTERVAL_MILLIS);
    try {
      this.stamp = stamp();
      this.keys = parse(path);
    } catch (IOException | ParseException problem) {
      throw rejection(path, problem);
    }
  }

  /**
   * Reads the keys of a file.
   *
   * @throws IllegalArgumentException if the file has no keys now
   */
  static PublicKeys read(Path path) {
    try {
      return parse(path);
    } catch (IOException | ParseException problem) {
      throw rejection(path, problem);
    }
  }

  private static IllegalArgumentException rejection(Path path, Exception problem) {
    String expected = "a JWKS file with RSA or EC keys; " + problem.getMessage();
    return Rejections.of("jwks file", path, expected);
  }

  @Override
  public KeySet current() {
    long now = clock.millis();
    long next = nextCheckMillis.get();
    if (now >= next && nextCheckMillis.compareAndSet(next, now + CHECK_INTERVAL_MILLIS)) {
      reloadIfChanged();
    }
    return keys;
  }

  private void reloadIfChanged() {
    try {
      Stamp latest = stamp();
      if (!latest.equals(stamp)) {
        PublicKeys fresh = parse(path);
        if (!fresh.equals(keys)) {
          keys = fresh;
        }
        stamp = latest;
        meters.count(Event.JWKS_LOADED);
      }
    } catch (IOException | ParseException | RuntimeException unreadable) {
      meters.count(Event.JWKS_FAILED);
    }
  }

  private Stamp stamp() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
  }

  private static PublicKeys parse(Path path) throws IOException, ParseException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(PublicKeys.MAX_BYTES + 1);
      if (bytes.length > PublicKeys.MAX_BYTES) {
        throw new IOException("more than " + PublicKeys.MAX_BYTES + " bytes");
      }
      return PublicKeys.parse(bytes);
    }
  }
}

package dev.weir.http;

import dev.weir.http.HttpMeters.Event;
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
 * Keys in a file.
 *
 * <p>Once a second one request looks whether the file has changed, and reads it if so. As long as
 * it cannot be read, being written just then for instance, the keys before stay in use.
 */
final class FileKeys implements KeySource {
  private static final long LOOK_EVERY_MILLIS = 1000;

  /** What a file looked like when it was read. */
  private record Stamp(FileTime modified, long size, @Nullable Object file) {}

  private final Path path;
  private final InstantSource clock;
  private final HttpMeters meters;
  private final AtomicLong nextLookMillis;
  private volatile PublicKeys keys;
  private volatile Stamp stamp;

  /**
   * @throws IllegalArgumentException if the file has no keys now
   */
  FileKeys(Path path, InstantSource clock, HttpMeters meters) {
    this.path = path;
    this.clock = clock;
    this.meters = meters;
    this.nextLookMillis = new AtomicLong(clock.millis() + LOOK_EVERY_MILLIS);
    try {
      this.stamp = stamp();
      this.keys = parse(path);
    } catch (IOException | ParseException problem) {
      throw refusal(path, problem);
    }
  }

  /**
   * The keys in a file.
   *
   * @throws IllegalArgumentException if it has none now
   */
  static PublicKeys read(Path path) {
    try {
      return parse(path);
    } catch (IOException | ParseException problem) {
      throw refusal(path, problem);
    }
  }

  private static IllegalArgumentException refusal(Path path, Exception problem) {
    String expected = "a JWKS file with RSA or EC keys; " + problem.getMessage();
    return Refusal.of("jwks file", path, expected);
  }

  @Override
  public KeySet current() {
    long now = clock.millis();
    long next = nextLookMillis.get();
    if (now >= next && nextLookMillis.compareAndSet(next, now + LOOK_EVERY_MILLIS)) {
      look();
    }
    return keys;
  }

  private void look() {
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
    BasicFileAttributes seen = Files.readAttributes(path, BasicFileAttributes.class);
    return new Stamp(seen.lastModifiedTime(), seen.size(), seen.fileKey());
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

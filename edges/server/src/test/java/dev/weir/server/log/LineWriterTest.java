package dev.weir.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineWriterTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir private Path folder = Path.of("");

  private static LineWriter<String> open(Path file) throws IOException {
    return LineWriter.open("test log", file.toString(), Function.identity());
  }

  private static void awaitLines(Path file, String... lines) {
    Await.until(file + " has " + List.of(lines), LONG, () -> read(file).equals(List.of(lines)));
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void linesAreAppendedToWhatIsThere() throws IOException {
    Path file = folder.resolve("a.log");
    Files.writeString(file, "before\n");
    try (LineWriter<String> log = open(file)) {
      log.add("one");
      log.add("zwei \u00e4");
    }
    assertThat(Files.readAllLines(file)).containsExactly("before", "one", "zwei \u00e4");
  }

  @Test
  void fileThatCannotBeWrittenIsRefusedAtOnce() {
    assertThatThrownBy(() -> open(folder.resolve("none/a.log"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> open(folder)).isInstanceOf(IOException.class);
  }

  @Test
  void fileThatWasRenamedIsCreatedAgain() throws IOException {
    Path file = folder.resolve("a.log");
    Path rotated = folder.resolve("a.log.1");
    try (LineWriter<String> log = open(file)) {
      log.add("one");
      awaitLines(file, "one");
      Files.move(file, rotated);
      log.add("two");
      awaitLines(file, "two");
    }
    assertThat(Files.readAllLines(rotated)).containsExactly("one");
  }

  @Test
  void fileThatWasReplacedOrRemovedIsLeft() throws IOException {
    Path file = folder.resolve("a.log");
    try (LineWriter<String> log = open(file)) {
      log.add("one");
      awaitLines(file, "one");
      Path fresh = Files.writeString(folder.resolve("fresh"), "of another\n");
      Files.move(file, folder.resolve("a.log.1"));
      Files.move(fresh, file);
      log.add("two");
      awaitLines(file, "of another", "two");
      Files.delete(file);
      log.add("three");
      awaitLines(file, "three");
      assertThat(log.dropped()).isZero();
    }
  }

  /** As copytruncate of logrotate does it. */
  @Test
  void fileThatWasEmptiedIsWrittenFromItsBeginning() throws IOException {
    Path file = folder.resolve("a.log");
    try (LineWriter<String> log = open(file)) {
      log.add("one");
      awaitLines(file, "one");
      Files.write(file, new byte[0]);
      log.add("two");
      awaitLines(file, "two");
    }
  }

  @Test
  void linesGoIntoTheRenamedFileWhileNoneCanBeCreated() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("logs"));
    Path file = inner.resolve("a.log");
    Path moved = folder.resolve("moved");
    try (LineWriter<String> log = open(file)) {
      Files.move(inner, moved);
      log.add("one");
      awaitLines(moved.resolve("a.log"), "one");
      Files.createDirectory(inner);
      log.add("two");
      awaitLines(file, "two");
      assertThat(log.dropped()).isZero();
    }
  }

  @Test
  void fullDiskLosesLinesAndCountsThem() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full), "no /dev/full"); // only Linux has it
    try (LineWriter<String> log = open(full)) {
      for (int i = 0; i < 10; i++) {
        log.add("line");
      }
      Await.until("10 lines are lost", LONG, () -> log.dropped() == 10);
    }
  }

  /** A target that takes some bytes, and then none until it is emptied. */
  private static final class SmallDisk implements LineTarget {
    private final StringBuilder written = new StringBuilder();
    private int room;

    SmallDisk(int room) {
      this.room = room;
    }

    @Override
    public synchronized void write(ByteBuffer lines) throws IOException {
      byte[] part = new byte[Math.min(room, lines.remaining())];
      lines.get(part);
      room -= part.length;
      written.append(new String(part, StandardCharsets.UTF_8));
      if (lines.hasRemaining()) {
        throw new IOException("No space left on device");
      }
    }

    synchronized String written() {
      return written.toString();
    }

    synchronized void addRoom(int bytes) {
      room += bytes;
    }

    @Override
    public void close() throws IOException {
      throw new FileAlreadyExistsException("closing may fail too");
    }
  }

  @Test
  void lineThatADiskCutDoesNotSpoilTheNext() {
    SmallDisk disk = new SmallDisk(6);
    try (LineWriter<String> log = new LineWriter<>("test log", disk, Function.identity())) {
      log.add("one");
      Await.until("a line", LONG, () -> disk.written().equals("one\n"));
      log.add("second");
      Await.until("a loss", LONG, () -> log.dropped() == 1);
      log.add("third");
      Await.until("another loss", LONG, () -> log.dropped() == 2);
      disk.addRoom(100);
      log.add("fourth");
    }
    assertThat(disk.written()).isEqualTo("one\nse\nfourth\n");
  }

  /** Nobody waits for a disk that hangs: what does not fit is dropped, and counted. */
  @Test
  void floodIsDroppedAndCounted() {
    CountDownLatch release = new CountDownLatch(1);
    SmallDisk disk = new SmallDisk(Integer.MAX_VALUE);
    LineTarget hanging =
        new LineTarget() {
          @Override
          public void write(ByteBuffer lines) throws IOException {
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            disk.write(lines);
          }

          @Override
          public void close() {}
        };
    int lines = 4 * LineWriter.QUEUE;
    long dropped;
    try (LineWriter<String> log = new LineWriter<>("test log", hanging, Function.identity())) {
      for (int i = 0; i < lines; i++) {
        log.add("x");
      }
      dropped = log.dropped();
      release.countDown();
    }
    assertThat(dropped).isGreaterThanOrEqualTo(lines - 2L * LineWriter.QUEUE);
    assertThat(disk.written().lines().count() + dropped).isEqualTo(lines);
  }

  @Test
  void lineThatCannotBeMadeIsDroppedAlone() throws IOException {
    Path file = folder.resolve("a.log");
    Function<String, String> picky =
        text -> {
          if (text.equals("bad")) {
            throw new IllegalStateException("bad");
          }
          return text;
        };
    try (LineWriter<String> log = LineWriter.open("test log", file.toString(), picky)) {
      log.add("one");
      log.add("bad");
      log.add("two");
      awaitLines(file, "one", "two");
      assertThat(log.dropped()).isEqualTo(1);
    }
  }
}

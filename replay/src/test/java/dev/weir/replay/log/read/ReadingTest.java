package dev.weir.replay.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.format.LogFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as they come: compressed, cut off, in any order, with anything in them. */
class ReadingTest {
  private static final DateTimeFormatter CLF =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final String TIMED = "$msec $request_time \"$request\"";

  /** Two lines, as {@code zstd} compresses them. */
  private static final String ZSTANDARD =
      "KLUv/QRYXQIAsoQPFpBVHb/yZnSHvdD3SUKkTJIwk/VlcQEADFyuyy36Z42GtyCUNF3Rgb"
          + "jN/wv9z38Sj5HPCyTl8EyrVcIGS8MDAGARkC9h8HAGj7ucwQ==";

  @TempDir private Path folder = Path.of("");

  private static String line(long second, String target) {
    return "1.2.3.4 - - ["
        + CLF.format(START.plusSeconds(second))
        + "] \"GET "
        + target
        + " HTTP/1.1\" 200 5 \"-\" \"-\"\n";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes(text));
    }
    return out.toByteArray();
  }

  private Path file(String name, byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.write(part);
    }
    return Files.write(folder.resolve(name), all.toByteArray());
  }

  @Test
  void endsOfLinesAndMarksOfByteOrderDoNotMatter() throws IOException {
    String text = line(0, "/a") + line(1, "/b");
    Logs logs = Logs.read("\u00EF\u00BB\u00BF" + text.replace("\n", "\r\n").stripTrailing());
    assertThat(logs.targets()).containsExactly("/a", "/b");
    assertThat(logs.entries.get(1).line()).isEqualTo(2);
    assertThat(Logs.read("").lines).isZero();
  }

  @Test
  void compressedFilesAreReadWithAllTheirMembers() throws IOException {
    Path log = file("x.log", gzip(line(0, "/a")), gzip(line(1, "/b")), gzip(line(2, "/c")));
    assertThat(Logs.read(ReadOptions.defaults(), log).targets()).containsExactly("/a", "/b", "/c");
    Logs piped = Logs.read(ReadOptions.defaults(), Files.readAllBytes(log));
    assertThat(piped.targets()).containsExactly("/a", "/b", "/c");
  }

  @Test
  void whatIsCutOffInTheMiddleIsOneBadLine() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      text.append(line(i, "/" + Integer.toHexString(i * 0x9E3779B9)));
    }
    byte[] whole = gzip(text.toString());
    Path log = file("cut.gz", Arrays.copyOf(whole, whole.length / 2));
    Logs logs = Logs.read(ReadOptions.defaults(), log);
    assertThat(logs.entries).hasSizeBetween(500, 1_999);
    assertThat(logs.bad).isEqualTo(1);
    assertThat(logs.reasons.get(0)).startsWith(log + ":" + logs.lines + ": compressed data is cut");
  }

  @Test
  void zstandardIsReadAndOthersAreNamed() throws IOException {
    byte[] all = Base64.getDecoder().decode(ZSTANDARD);
    Path packed = file("plain.log", all);
    assertThat(Logs.read(ReadOptions.defaults(), packed).targets()).containsExactly("/a", "/b");
    Path two = file("two.zst", all, all);
    assertThat(Logs.read(ReadOptions.defaults(), two).targets()).hasSize(4);
    Path cut = file("cut.zst", Arrays.copyOf(all, all.length - 9));
    Logs logs = Logs.read(ReadOptions.defaults(), cut);
    assertThat(logs.reasons.get(0)).contains("compressed data is cut off or damaged: ");
    Path bzip = file("x.bz2", bytes("BZh91AY&SY"));
    assertThatThrownBy(() -> Logs.read(ReadOptions.defaults(), bzip))
        .hasMessageStartingWith(bzip + ": bzip2 (expected: text, gzip or zstd; try: bzip2 -dc ");
  }

  @Test
  void badLinesAreCountedAndNamed() throws IOException {
    Logs logs =
        Logs.read(
            line(0, "/a")
                + "x".repeat(1_000_000)
                + "\n"
                + line(1, "/b").substring(0, 40)
                + "\n"
                + "\u0000\u0001\u0002\n"
                + "{\"time\":\"2026-03-01T12:00:00Z\",\"path\":\"/j\"}\n"
                + line(2, "/c").replace("Mar", "Foo")
                + line(3, "/d")
                + line(-3 * 3_600, "/back")
                + line(400_000_000, "/ahead")
                + line(4, "/e"));
    assertThat(logs.targets()).containsExactly("/a", "/d", "/e");
    assertThat(logs.lines).isEqualTo(10);
    assertThat(logs.bad).isEqualTo(7);
    String name = "standard input:";
    assertThat(logs.reasons.get(0)).isEqualTo(name + "2: too long (expected: at most 65536 bytes)");
    assertThat(logs.reasons.get(1)).startsWith(name + "3: not combined: column 14: ");
    assertThat(logs.reasons.get(2)).endsWith("; it is binary");
    assertThat(logs.reasons.get(3)).startsWith(name + "5: ").endsWith("; it looks like json");
    assertThat(logs.reasons.get(4))
        .contains("%t: 01/Foo/2026:12:00:02 +0000 (expected: a time like");
    assertThat(logs.reasons.get(5))
        .isEqualTo(name + "8: time runs backwards by 3 h (expected: less than 1 h)");
    assertThat(logs.reasons.get(6)).startsWith(name + "9: time runs ahead by 4629 days and back");
  }

  @Test
  void theFirstLineMayBeWrongAndNightsMayBeLong() throws IOException {
    Logs logs =
        Logs.read(
            line(900_000_000, "/x") + line(0, "/a") + line(90_000, "/b") + line(180_000, "/c"));
    assertThat(logs.targets()).containsExactly("/a", "/b", "/c");
    assertThat(logs.bad).isEqualTo(1);
  }

  @Test
  void requestsComeInTheOrderOfTheirArrival() throws IOException {
    ReadOptions options = ReadOptions.defaults().withFormat(LogFormats.nginx(TIMED));
    String text =
        "1000.100 0.000 \"GET /2 HTTP/1.1\"\n1000.500 0.450 \"GET /1 HTTP/1.1\"\n"
            + "1000.600 0.100 \"GET /3 HTTP/1.1\"\n1000.600 0.100 \"GET /4 HTTP/1.1\"\n"
            + "1030.000 29.950 \"GET /0 HTTP/1.1\"\n1100.000 99.950 \"GET /late HTTP/1.1\"\n"
            + "1200.000 199.990 \"GET /later HTTP/1.1\"\n";
    Logs logs = Logs.read(options, bytes(text));
    assertThat(logs.targets()).containsExactly("/1", "/0", "/late", "/2", "/3", "/4", "/later");
    assertThat(logs.late).isEqualTo(1);
    assertThat(logs.entries)
        .isSortedAccordingTo(java.util.Comparator.comparingLong(LogEntry::arrivalMicros));
    Logs small = Logs.read(options.withMaxHeld(1).withHorizon(Duration.ofSeconds(1)), bytes(text));
    assertThat(small.entries)
        .hasSize(7)
        .isSortedAccordingTo(java.util.Comparator.comparingLong(LogEntry::arrivalMicros));
    assertThat(small.late).isEqualTo(3);
  }

  @Test
  void manyFilesAreMergedByTime() throws IOException {
    Path[] files = new Path[40];
    for (int i = 0; i < files.length; i++) {
      StringBuilder text = new StringBuilder();
      for (int second = 0; second < 50; second++) {
        text.append(line(second * 40L + files.length - i, "/" + i));
      }
      files[i] =
          i % 2 == 0
              ? file(i + ".log", bytes(text.toString()))
              : file(i + ".gz", gzip(text.toString()));
    }
    Logs logs = Logs.read(ReadOptions.defaults(), files);
    assertThat(logs.entries).hasSize(2_000);
    assertThat(logs.entries)
        .isSortedAccordingTo(java.util.Comparator.comparingLong(LogEntry::arrivalMicros));
    assertThat(logs.entries.get(0).file()).isEqualTo(39);
    assertThat(logs.lines).isEqualTo(2_000);
  }

  @Test
  void wrongFormatsAreRefusedWithWhatTheyLookLike() throws IOException {
    Path combined = file("access.log", bytes(line(0, "/a") + line(1, "/b")));
    assertThatThrownBy(
            () -> Logs.read(ReadOptions.defaults().withFormat(LogFormats.named("alb")), combined))
        .hasMessageStartingWith(combined + ": not one of the first lines is alb: ")
        .hasMessageEndingWith("it looks like combined: give --format combined");
    Path more = file("more.log", bytes(line(0, "/a").strip() + " \"-\" 0.003\n"));
    assertThatThrownBy(() -> Logs.read(ReadOptions.defaults(), more))
        .hasMessageContaining("looks most like combined, but column ")
        .hasMessageContaining(": 2 more fields at the end: \"-\" 0.003")
        .hasMessageContaining("--log-format '...'");
    Path prose = file("prose.txt", bytes("Dear reader,\nthis is no log.\n"));
    assertThatThrownBy(() -> Logs.read(ReadOptions.defaults(), prose))
        .hasMessageContaining("unknown format");
    assertThatThrownBy(() -> Logs.read(ReadOptions.defaults(), folder.resolve("none.log")))
        .hasMessage(folder.resolve("none.log") + ": cannot be opened (expected: a readable file)");
  }

  @Test
  void fourMoreFieldsAreNotTakenForOneOfWeir() throws IOException {
    Path log = file("four.log", bytes(line(0, "/a").strip() + " \"-\" 0.003 0.002 .\n"));
    assertThatThrownBy(() -> Logs.read(ReadOptions.defaults(), log))
        .hasMessageContaining("4 more fields at the end");
    Path usual = file("usual.log", bytes(line(0, "/a")));
    assertThat(Logs.read(ReadOptions.defaults(), usual, usual).formats)
        .containsExactly("combined", "combined");
  }
}

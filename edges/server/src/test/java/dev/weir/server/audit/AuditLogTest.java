package dev.weir.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.LogLines;
import dev.weir.server.access.Operator;
import dev.weir.server.access.Operator.Role;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lines of the audit log, and what happens if they cannot be written. */
@Timeout(120)
class AuditLogTest {
  private static final Operator ANN = new Operator("Ann", Role.OPERATOR, "192.0.2.1");
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-17T09:08:45Z"));
  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path directory = Path.of("");

  private Path file() {
    return directory.resolve("audit.log");
  }

  private static void record(AuditLog log, String event) {
    log.record(ANN, event, new JsonObject().put("rule", "login")).toCompletableFuture().join();
  }

  private static void isRefused(CompletionStage<Void> record, String reason) {
    assertThatThrownBy(() -> record.toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(AuditUnavailable.class)
        .hasMessage("the audit log cannot be written, so nothing was done: " + reason);
  }

  private static List<String> events(Path file) throws Exception {
    return Files.readAllLines(file).stream()
        .map(line -> new JsonObject(line).getString("event"))
        .toList();
  }

  @Test
  void lineSaysWhenWhoWhatAndFromWhere() throws Exception {
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      record(log, "reset");
      log.recordUnknown("192.0.2.9", "wrong-token", new JsonObject());
    }
    assertThat(Files.readString(file()))
        .isEqualTo(
            "{\"time\":\"2026-11-17T09:08:45.000Z\",\"who\":\"Ann\",\"role\":\"operator\","
                + "\"address\":\"192.0.2.1\",\"event\":\"reset\",\"details\":{\"rule\":\"login\"}}\n"
                + "{\"time\":\"2026-11-17T09:08:45.000Z\",\"who\":null,\"role\":\"none\","
                + "\"address\":\"192.0.2.9\",\"event\":\"wrong-token\",\"details\":{}}\n");
  }

  @Test
  void onlyTheOwnerCanReadANewFile() throws Exception {
    AuditLog.toFile(file(), CLOCK).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void existingFileIsContinued() throws Exception {
    Files.writeString(file(), "{\"event\":\"before\"}\n");
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      record(log, "reset");
    }
    assertThat(events(file())).containsExactly("before", "reset");
  }

  @Test
  void lineThatWasNotWrittenWholeIsEndedFirst() throws Exception {
    Files.writeString(file(), "{\"event\":\"before\"}\n{\"event\":\"cut o");
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      record(log, "reset");
      record(log, "again");
    }
    List<String> lines = Files.readAllLines(file());
    assertThat(lines).hasSize(4);
    assertThat(new JsonObject(lines.get(2)).getString("event")).isEqualTo("reset");
    assertThat(new JsonObject(lines.get(3)).getString("event")).isEqualTo("again");
  }

  @Test
  void fileThatWasRotatedAwayIsReplaced() throws Exception {
    Path rotated = directory.resolve("audit.log.1");
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      record(log, "first");
      Files.move(file(), rotated);
      record(log, "second");
      record(log, "third");
      Files.delete(file());
      record(log, "fourth");
      Files.move(file(), directory.resolve("audit.log.2"));
      Files.createFile(file());
      record(log, "fifth");
    }
    assertThat(events(rotated)).containsExactly("first");
    assertThat(events(directory.resolve("audit.log.2"))).containsExactly("fourth");
    assertThat(events(file())).containsExactly("fifth");
  }

  @Test
  void fileThatWasTruncatedIsContinuedAtItsBeginning() throws Exception {
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      record(log, "first");
      Files.copy(file(), directory.resolve("audit.log.1"));
      Files.writeString(file(), "");
      record(log, "second");
    }
    assertThat(events(file())).containsExactly("second");
  }

  @Test
  void controlCharactersCannotForgeALine() throws Exception {
    String forged = "x\n{\"event\":\"forged\"}\r\u0000\u001b[2K\u0085\u2028\u202e\u007f";
    Operator eve = new Operator(forged, Role.VIEWER, forged);
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      JsonObject details = new JsonObject().put(forged, forged);
      log.record(eve, forged, details).toCompletableFuture().join();
      assertThat(Files.readString(file())).matches("[ -~]+\n");
      JsonObject line = new JsonObject(Files.readString(file()));
      assertThat(line.getString("who")).isEqualTo(forged);
      assertThat(line.getString("event")).isEqualTo(forged);
      assertThat(line.getJsonObject("details")).isEqualTo(details);
    }
  }

  @Test
  void detailsThatAreTooLongAreLeftOut() throws Exception {
    try (AuditLog log = AuditLog.toFile(file(), CLOCK)) {
      JsonObject details = new JsonObject().put("value", "\u00e9".repeat(AuditLine.MAX_CHARS / 5));
      log.record(ANN, "reset", details).toCompletableFuture().join();
    }
    String line = Files.readString(file());
    assertThat(line.length()).isLessThan(300);
    assertThat(new JsonObject(line).getString("who")).isEqualTo("Ann");
    assertThat(new JsonObject(line).getString("detailsOmitted")).endsWith(" characters");
  }

  @Test
  void fullDiskRefusesTheEvent() {
    try (LogLines errors = new LogLines(AuditLog.class);
        AuditLog log = AuditLog.toFile(FULL, CLOCK)) {
      for (int i = 0; i < 5; i++) {
        isRefused(log.record(ANN, "reset", new JsonObject()), "No space left on device");
      }
      assertThat(errors.lines)
          .hasSize(2)
          .containsOnly(
              "SEVERE Cannot write the audit log, and refuse actions: No space left on device");
    }
  }

  @Test
  void fileThatCannotBeWrittenIsRefused() throws Exception {
    Path missing = directory.resolve("missing").resolve("audit.log");
    assertThatThrownBy(() -> AuditLog.toFile(missing, CLOCK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "audit log: " + missing + ", no such directory (expected: a file that can be written)");
    assertThatThrownBy(() -> AuditLog.toFile(directory, CLOCK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("audit log: " + directory + ", Is a directory");
  }

  @Test
  void fileThatCannotBeReplacedRefusesTheEventUntilItCan() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("logs"));
    Path file = folder.resolve("audit.log");
    try (AuditLog log = AuditLog.toFile(file, CLOCK)) {
      Files.move(folder, directory.resolve("away"));
      assertThatThrownBy(() -> record(log, "lost")).hasCauseInstanceOf(AuditUnavailable.class);
      Files.createDirectory(folder);
      record(log, "kept");
    }
    assertThat(events(file)).containsExactly("kept");
  }

  /** A disk that hangs until the latch is open. */
  private static AuditSink hanging(CountDownLatch latch, List<String> written) {
    return line -> {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      synchronized (written) {
        written.add(line);
      }
    };
  }

  @Test
  void queueThatIsFullRefusesTheEventAtOnce() {
    CountDownLatch latch = new CountDownLatch(1);
    List<CompletionStage<Void>> waiting = new ArrayList<>();
    List<String> written = new ArrayList<>();
    try (AuditLog log = new AuditLog(hanging(latch, written), CLOCK, Duration.ofHours(1))) {
      CompletionStage<Void> refused;
      do {
        refused = log.record(ANN, "reset", new JsonObject());
        waiting.add(refused);
      } while (!refused.toCompletableFuture().isDone() && waiting.size() < 10_000);
      isRefused(refused, "too many lines are waiting");
      assertThat(waiting).hasSizeLessThan(1_000);
      latch.countDown();
      waiting.subList(0, waiting.size() - 1).forEach(one -> one.toCompletableFuture().join());
    }
    assertThat(written).hasSize(waiting.size() - 1);
  }

  @Test
  void diskThatHangsRefusesTheEventAndWritesNoLineForItLater() {
    CountDownLatch latch = new CountDownLatch(1);
    List<String> written = new ArrayList<>();
    try (AuditLog log = new AuditLog(hanging(latch, written), CLOCK, Duration.ofMillis(50))) {
      CompletionStage<Void> first = log.record(ANN, "first", new JsonObject());
      CompletionStage<Void> second = log.record(ANN, "second", new JsonObject());
      isRefused(first, "it takes longer than 50 ms");
      isRefused(second, "it takes longer than 50 ms");
      latch.countDown();
    }
    // The first was being written when its time was over.
    assertThat(written).hasSize(1);
    assertThat(written.get(0)).contains("\"event\":\"first\"");
  }

  @Test
  void closedLogWritesWhatWaitsAndRefusesMore() throws Exception {
    AuditLog log = AuditLog.toFile(file(), CLOCK);
    List<CompletionStage<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiting.add(log.record(ANN, "reset", new JsonObject()));
    }
    log.close();
    waiting.forEach(one -> one.toCompletableFuture().join());
    assertThat(events(file())).hasSize(50);
    isRefused(log.record(ANN, "late", new JsonObject()), "the server stops");
  }
}

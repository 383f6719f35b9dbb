package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.source.FailingFiles;
import dev.weir.rules.source.RulesFileWatcher;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Refused versions: each is logged once, counted once, and reported until it is fixed. */
class RefusedReloadTest extends ReloadTestBase {
  @Test
  void invalidVersionChangesNothingAndIsReportedOnce() throws Exception {
    RulesFileWatcher watch = watch(file);
    RulesSnapshot before = watch.current();
    write(file, BAD);
    for (int i = 0; i < 10; i++) {
      settle(watch);
    }
    assertThat(watch.current()).isSameAs(before);
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().version()).isEqualTo(before.version());
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .startsWith(file + ":1:28: limit: x (expected: permits per window");
    assertThat(logged).singleElement().extracting(LogRecord::getLevel).isEqualTo(Level.SEVERE);
    assertThat(lastMessage())
        .startsWith("Rules from " + file + " are rejected, version " + before.version())
        .endsWith(watch.status().problems().get(0));
    write(file, rules("two"));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(errors()).hasSize(1);
  }

  @Test
  void revertedInvalidVersionClearsTheProblems() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, BAD);
    settle(watch);
    write(file, rules("one"));
    settle(watch);
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().reloads()).isZero();
  }

  @Test
  void missingFileIsReportedOnceAndMayReturn() throws Exception {
    RulesFileWatcher watch = watch(file);
    Files.delete(file);
    for (int i = 0; i < 5; i++) {
      settle(watch);
    }
    assertThat(names(watch)).containsExactly("one");
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .startsWith(file + ": cannot be read");
    assertThat(logged).hasSize(1);
    write(file, rules("one"));
    settle(watch);
    assertThat(watch.status().problems()).isEmpty();
    write(file, rules("two"));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void briefAbsenceOfAFileIsNotReported() throws Exception {
    RulesFileWatcher watch = watch(file);
    for (int i = 0; i < 3; i++) {
      Path away = Files.move(file, directory.resolve("away"));
      watch.poll();
      Files.move(away, file);
      watch.poll();
      advance(Duration.ofHours(1));
    }
    assertThat(watch.status().refusals()).isZero();
    assertThat(logged).isEmpty();
  }

  @Test
  void touchedInvalidFileIsNotReportedAgain() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, BAD);
    settle(watch);
    for (int i = 0; i < 5; i++) {
      stamp(file);
      settle(watch);
      advance(RulesFileWatcher.RETRY);
      settle(watch);
    }
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems()).hasSize(1);
    assertThat(logged).hasSize(1);
  }

  @Test
  void changedTextWithTheSameErrorsIsReportedAgain() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, BAD);
    settle(watch);
    write(file, BAD + "# mended, or so I thought\n");
    settle(watch);
    assertThat(watch.status().refusals()).isEqualTo(2);
    assertThat(logged).hasSize(2);
  }

  @Test
  void sameInvalidVersionAfterAValidOneIsReportedAgain() throws Exception {
    RulesFileWatcher watch = watch(file);
    for (int i = 1; i <= 3; i++) {
      write(file, BAD);
      settle(watch);
      settle(watch);
      assertThat(watch.status().refusals()).isEqualTo(i);
      assertThat(watch.status().problems()).hasSize(1);
      assertThat(errors()).hasSize(i);
      write(file, rules(i == 2 ? "one" : "two")); // the second time, as it was before
      settle(watch);
      assertThat(watch.status().problems()).isEmpty();
    }
  }

  @Test
  void missingFileThatReturnsInvalidIsReportedTwice() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, BAD);
    settle(watch);
    Files.delete(file);
    settle(watch);
    assertThat(watch.status().problems())
        .containsExactly(file + ": cannot be read: " + file + ": no such file or directory");
    write(file, BAD);
    settle(watch);
    assertThat(watch.status().problems()).singleElement().asString().contains("limit: x");
    assertThat(watch.status().refusals()).isEqualTo(3);
    assertThat(logged).hasSize(3);
    assertThat(names(watch)).containsExactly("one");
  }

  @Test
  void danglingLinkIsReportedOnce() throws Exception {
    Path other = directory.resolve("other.yaml");
    write(other, rules("other"));
    RulesFileWatcher watch = watch(directory);
    Files.delete(other);
    Files.createSymbolicLink(other, Path.of("nowhere"));
    for (int i = 0; i < 3; i++) {
      settle(watch);
    }
    assertThat(names(watch)).containsExactly("other", "one");
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .endsWith(other + ": no file (expected: a file, or a link to one)");
    assertThat(logged).hasSize(1);
    Files.delete(other);
    settle(watch);
    assertThat(names(watch)).containsExactly("one");
    assertThat(watch.status().problems()).isEmpty();
  }

  @Test
  void unreadableFileIsReportedOnce() throws Exception {
    FailingFiles files = new FailingFiles(file);
    RulesFileWatcher watch = watch(files);
    write(file, rules("two"));
    files.onRead = new AccessDeniedException(file.toString());
    for (int i = 0; i < 3; i++) {
      settle(watch);
    }
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems())
        .containsExactly(file + ": cannot be read: " + file + ": permission denied");
    assertThat(logged).hasSize(1);
    files.onRead = null;
    advance(RulesFileWatcher.RETRY);
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
  }

  @Test
  void changesOfPermissionsAreNoticed() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, rules("two"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(file), "needs a user other than root");
    settle(watch);
    settle(watch);
    assertThat(watch.status().problems()).singleElement().asString().endsWith("permission denied");
    assertThat(logged).hasSize(1);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void refusedVersionIsRetriedWithoutAChangeOfItsFiles() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, "jwt: {secret-file: secret.txt}\n" + rules("two"));
    settle(watch);
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .contains("secret-file: secret.txt");
    Files.writeString(directory.resolve("secret.txt"), TestRules.SECRET);
    advance(RulesFileWatcher.RETRY.minus(RulesFileWatcher.SETTLE).minusMillis(1));
    settle(watch);
    assertThat(watch.status().problems()).hasSize(1);
    advance(Duration.ofMillis(1));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().refusals()).isEqualTo(1);
  }

  @Test
  void changedSecretIsReadWhenTheRulesAreTouched() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret.txt"), TestRules.SECRET);
    write(file, "jwt: {secret-file: secret.txt}\n" + rules("one"));
    RulesFileWatcher watch = watch(file);
    var before = watch.current().rules().http();
    Files.writeString(secret, "another " + TestRules.SECRET);
    stamp(file);
    settle(watch);
    assertThat(watch.current().rules().http()).isNotEqualTo(before);
  }

  @Test
  void jwksFileWithoutKeysIsRefusedWithItsLocation() throws Exception {
    RulesFileWatcher watch = watch(file);
    Files.writeString(directory.resolve("jwks.json"), "{\"keys\":[]}");
    write(file, "jwt: {jwks: jwks.json}\n" + rules("two"));
    settle(watch);
    settle(watch);
    assertThat(names(watch)).containsExactly("one");
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .startsWith(file + ":1:13: jwks: jwks.json: ")
        .endsWith("(expected: a JWKS file with RSA or EC keys; no RSA or EC key)");
    assertThat(logged).hasSize(1);
  }
}

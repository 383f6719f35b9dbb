package dev.weir.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Versions that are not taken on: each is told once, counted once, and shown while it lasts. */
class RefusedReloadTest extends Reloading {
  @Test
  void aBadVersionChangesNothingAndIsReportedOnce() throws Exception {
    RulesWatch watch = watch(file);
    LiveRules before = watch.current();
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
    assertThat(lastWords())
        .startsWith("Rules from " + file + " are refused, version " + before.version())
        .endsWith(watch.status().problems().get(0));
    write(file, rules("two"));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(errors()).hasSize(1);
  }

  @Test
  void aBadVersionThatIsTakenBackIsForgotten() throws Exception {
    RulesWatch watch = watch(file);
    write(file, BAD);
    settle(watch);
    write(file, rules("one"));
    settle(watch);
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().reloads()).isZero();
  }

  @Test
  void aFileThatIsGoneIsReportedOnceAndMayComeBack() throws Exception {
    RulesWatch watch = watch(file);
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
  void aFileThatIsGoneForAMomentIsNoNewsHoweverOften() throws Exception {
    RulesWatch watch = watch(file);
    for (int i = 0; i < 3; i++) {
      Path away = Files.move(file, directory.resolve("away"));
      watch.poll();
      Files.move(away, file);
      watch.poll();
      pass(Duration.ofHours(1));
    }
    assertThat(watch.status().refusals()).isZero();
    assertThat(logged).isEmpty();
  }

  @Test
  void aBadFileThatIsOnlyTouchedIsNotReportedAgain() throws Exception {
    RulesWatch watch = watch(file);
    write(file, BAD);
    settle(watch);
    for (int i = 0; i < 5; i++) {
      stamp(file);
      settle(watch);
      pass(RulesWatch.RETRY);
      settle(watch);
    }
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems()).hasSize(1);
    assertThat(logged).hasSize(1);
  }

  @Test
  void anotherTextWithTheSameErrorsIsReportedAgain() throws Exception {
    RulesWatch watch = watch(file);
    write(file, BAD);
    settle(watch);
    write(file, BAD + "# mended, or so I thought\n");
    settle(watch);
    assertThat(watch.status().refusals()).isEqualTo(2);
    assertThat(logged).hasSize(2);
  }

  @Test
  void theSameBadVersionAfterAGoodOneIsReportedAgain() throws Exception {
    RulesWatch watch = watch(file);
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
  void aFileThatIsGoneAndComesBackBadIsReportedForEach() throws Exception {
    RulesWatch watch = watch(file);
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
  void aLinkThatLeadsNowhereIsReportedOnce() throws Exception {
    Path other = directory.resolve("other.yaml");
    write(other, rules("other"));
    RulesWatch watch = watch(directory);
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
  void aFileThatMayNotBeReadIsReportedOnce() throws Exception {
    FailingFiles files = new FailingFiles(file);
    RulesWatch watch = watch(files);
    write(file, rules("two"));
    files.whileReading = new AccessDeniedException(file.toString());
    for (int i = 0; i < 3; i++) {
      settle(watch);
    }
    assertThat(watch.status().refusals()).isEqualTo(1);
    assertThat(watch.status().problems())
        .containsExactly(file + ": cannot be read: " + file + ": permission denied");
    assertThat(logged).hasSize(1);
    files.whileReading = null;
    pass(RulesWatch.RETRY);
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
  }

  @Test
  void permissionsThatAreTakenAndGivenBackAreNoticed() throws Exception {
    RulesWatch watch = watch(file);
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
  void aRemedyElsewhereIsFoundInTime() throws Exception {
    RulesWatch watch = watch(file);
    write(file, "jwt: {secret-file: secret.txt}\n" + rules("two"));
    settle(watch);
    assertThat(watch.status().problems())
        .singleElement()
        .asString()
        .contains("secret-file: secret.txt");
    Files.writeString(directory.resolve("secret.txt"), TestRules.SECRET);
    pass(RulesWatch.RETRY.minus(RulesWatch.SETTLE).minusMillis(1));
    settle(watch);
    assertThat(watch.status().problems()).hasSize(1);
    pass(Duration.ofMillis(1));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().problems()).isEmpty();
    assertThat(watch.status().refusals()).isEqualTo(1);
  }

  @Test
  void aSecretThatChangedIsReadWhenTheRulesAreTouched() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret.txt"), TestRules.SECRET);
    write(file, "jwt: {secret-file: secret.txt}\n" + rules("one"));
    RulesWatch watch = watch(file);
    var before = watch.current().rules().http();
    Files.writeString(secret, "another " + TestRules.SECRET);
    stamp(file);
    settle(watch);
    assertThat(watch.current().rules().http()).isNotEqualTo(before);
  }

  @Test
  void aFileOfKeysWithoutKeysIsRefusedAtItsPlace() throws Exception {
    RulesWatch watch = watch(file);
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

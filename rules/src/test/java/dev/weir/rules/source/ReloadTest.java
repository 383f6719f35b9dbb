package dev.weir.rules.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.ConfigMap;
import dev.weir.rules.FakeRequest;
import dev.weir.rules.ReloadTestBase;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules files that change while their rules are active, on a manual clock. */
class ReloadTest extends ReloadTestBase {
  @Test
  void fileIsReadOnceItHasSettled() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, rules("two"));
    watch.poll();
    assertThat(names(watch)).containsExactly("one");
    advance(RulesFileWatcher.SETTLE.minusMillis(1));
    watch.poll();
    assertThat(names(watch)).containsExactly("one");
    advance(Duration.ofMillis(1));
    watch.poll();
    assertThat(names(watch)).containsExactly("two");
    assertThat(watch.status().reloads()).isEqualTo(1);
    assertThat(watch.status().since()).isEqualTo(now);
    assertThat(watch.status().version()).isEqualTo(watch.current().version());
  }

  @Test
  void partiallyWrittenFileIsNeverLoaded() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, "rules:\n  - {name: two-a, limit: 1/s}\n");
    for (int i = 0; i < 3; i++) {
      watch.poll();
      advance(RulesFileWatcher.SETTLE.dividedBy(4));
    }
    Files.writeString(file, "  - {name: two-b, limit: 1/s}\n", StandardOpenOption.APPEND);
    stamp(file);
    watch.poll();
    advance(RulesFileWatcher.SETTLE.dividedBy(2));
    watch.poll();
    assertThat(names(watch)).as("the second half must settle, too").containsExactly("one");
    settle(watch);
    assertThat(names(watch)).containsExactly("two-a", "two-b");
    assertThat(watch.status().refusals()).isZero();
  }

  @Test
  void renamedFileIsLoaded() throws Exception {
    RulesFileWatcher watch = watch(file);
    Path fresh = directory.resolve("rules.yaml.new");
    write(fresh, rules("two"));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void twoFilesOfADirectoryChangeTogether() throws Exception {
    Path other = directory.resolve("other.yaml");
    write(other, rules("other-one"));
    RulesFileWatcher watch = watch(directory);
    assertThat(names(watch)).containsExactly("other-one", "one");
    write(file, rules("two"));
    watch.poll();
    advance(RulesFileWatcher.SETTLE.minusMillis(1));
    write(other, rules("other-two"));
    watch.poll();
    advance(Duration.ofMillis(1));
    watch.poll();
    assertThat(names(watch)).containsExactly("other-one", "one");
    settle(watch);
    assertThat(names(watch)).containsExactly("other-two", "two");
    assertThat(watch.status().reloads()).isEqualTo(1);
    Files.delete(other);
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void configMapIsReloadedWhenItsLinkIsSwitched() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    ConfigMap map = new ConfigMap(mount);
    map.swap(rules("one"));
    RulesFileWatcher byDirectory = watch(mount);
    RulesFileWatcher byFile = watch(mount.resolve("rules.yaml"));
    map.swap(rules("two"));
    settle(byDirectory);
    settle(byFile);
    assertThat(names(byDirectory)).containsExactly("two");
    assertThat(names(byFile)).containsExactly("two");
    map.swap(rules("six"));
    settle(byDirectory);
    assertThat(names(byDirectory)).as("of the same length").containsExactly("six");
  }

  @Test
  void touchedFileIsNotReloaded() throws Exception {
    RulesFileWatcher watch = watch(file);
    RulesSnapshot before = watch.current();
    stamp(file);
    settle(watch);
    assertThat(watch.current()).isSameAs(before);
    assertThat(watch.status().reloads()).isZero();
    assertThat(logged).isEmpty();
  }

  @Test
  void spentPermitsStaySpentAcrossAReload() throws Exception {
    MemoryStore store = new MemoryStore(1_000, () -> 1_000_000_000_000_000L);
    write(file, "rules: [{name: a, per: ip, limit: 10/hour}]");
    RulesFileWatcher watch = watch(file);
    FakeRequest request = FakeRequest.get("/");
    for (int i = 0; i < 4; i++) {
      assertThat(store.take(watch.current().match(request, 0).claims()).allowed()).isTrue();
    }
    write(file, "rules: [{name: other, limit: 9/s}, {name: a, per: ip, limit: 7/hour}]");
    settle(watch);
    int granted = 0;
    while (store.take(watch.current().match(request, 0).claims()).allowed()) {
      granted++;
    }
    assertThat(granted).as("7 less the 4 that were spent under 10").isEqualTo(3);
    write(file, "rules: [{name: renamed, per: ip, limit: 7/hour}]");
    settle(watch);
    assertThat(store.take(watch.current().match(request, 0).claims()).allowed())
        .as("another name is another counter")
        .isTrue();
  }

  @Test
  void metersSurviveAReload() throws Exception {
    RulesFileWatcher watch = watch(file);
    var meters = watch.current().reader().meters();
    write(file, rules("two"));
    settle(watch);
    assertThat(watch.current().reader().meters()).isSameAs(meters);
    write(file, "trusted-hops: 1\npath-case: insensitive\n" + rules("two"));
    settle(watch);
    assertThat(watch.status().reloads()).isEqualTo(2);
    assertThat(watch.current().reader().meters()).isSameAs(meters);
  }

  @Test
  void writeThatKeepsSizeAndTimeIsNoticed() throws Exception {
    Assumptions.assumeTrue(
        file.getFileSystem().supportedFileAttributeViews().contains("unix"),
        "needs a file system with the time of changes");
    RulesFileWatcher watch = watch(file);
    FileTime modified = Files.getLastModifiedTime(file);
    Object changed = Files.getAttribute(file, "unix:ctime");
    do { // until the clock of the file system has ticked
      Files.writeString(file, rules("two"));
      Files.setLastModifiedTime(file, modified);
    } while (Files.getAttribute(file, "unix:ctime").equals(changed));
    settle(watch);
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  void refusedVersionIsReportedUntilItIsFixed() throws Exception {
    RulesFileWatcher watch = watch(file);
    assertThat(watch.status().isNewestRefused()).isFalse();
    write(file, BAD);
    settle(watch);
    assertThat(watch.status().isNewestRefused()).isTrue();
    assertThat(watch.status().refusedVersion())
        .isEqualTo(RulesLoader.version(RuleFiles.at(file).read()))
        .isNotEqualTo(watch.status().version());
    write(file, rules("two"));
    settle(watch);
    assertThat(watch.status().isNewestRefused()).isFalse();
    assertThat(watch.status().refusedVersion()).isEmpty();
    assertThat(watch.status().version()).isEqualTo(RulesLoader.version(RuleFiles.at(file).read()));
  }

  @Test
  void clockSetBackDoesNotDelayAChange() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, rules("two"));
    watch.poll();
    advance(Duration.ofHours(-1));
    watch.poll();
    assertThat(names(watch)).containsExactly("two");
  }

  @Test
  @Timeout(60)
  void currentRulesAreAvailableWhileFilesAreRead() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    RuleFiles slow =
        new RuleFiles(file) {
          private boolean first = true;

          @Override
          public List<RulesText> read() throws IOException {
            if (!first) {
              reading.countDown();
              await(goOn);
            }
            first = false;
            return super.read();
          }
        };
    RulesFileWatcher watch = watch(slow);
    write(file, rules("two"));
    watch.poll();
    advance(RulesFileWatcher.SETTLE);
    Thread polling = new Thread(watch::poll);
    polling.start();
    await(reading);
    assertThat(names(watch)).containsExactly("one");
    assertThat(watch.status().reloads()).isZero();
    goOn.countDown();
    polling.join();
    assertThat(names(watch)).containsExactly("two");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

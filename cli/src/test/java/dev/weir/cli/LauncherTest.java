package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When the script builds, what it starts, and what it reports if it cannot. */
class LauncherTest extends LauncherProject {
  @Test
  void firstCallBuildsAndLaterCallsOnlyRun() throws Exception {
    CommandRun first = weir("validate", "a b");
    assertThat(first.exit()).isEqualTo(7);
    assertThat(first.err())
        .matches(
            """
            weir: building for the first time, which may take some minutes
            weir: \\d+ s: preparing a faster start
            """);
    assertThat(first.out()).endsWith("/a.jar dev.weir.cli.Main validate a b\n").hasLineCount(1);
    CommandRun second = weir();
    assertThat(second.err()).isEmpty();
    assertThat(calls())
        .singleElement()
        .asString()
        .startsWith("mvn -B -pl cli -am package ")
        .endsWith(" in " + directory.resolve("jdk"));
  }

  @Test
  void serveUsesTheArgumentFileOfTheSameJavaVersion() throws Exception {
    weir();
    Path app =
        root.resolve(
            "cli/target/" + Files.readString(root.resolve("cli/target/weir.built")).strip());
    assertThat(weir("serve").out())
        .contains("java -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError -cp ")
        .contains("Main serve");
    Path arguments = app.resolve("serve.args");
    Files.writeString(arguments, "# Java 17.0.1\n-cp x\n");
    assertThat(weir("serve").out()).isEqualTo("java @" + arguments + " serve\n");
    Files.writeString(arguments, "# Java 25.0.1\n-cp x\n");
    assertThat(weir("serve").out()).as("another Java may not know the options").doesNotContain("@");
  }

  @Test
  void operatorOptionsComeFirstAndStayInEffect() throws Exception {
    environment.put("WEIR_JAVA_OPTS", "-Xlog:gc:file=gc.log -Xmx9m");
    for (String command : List.of("serve", "validate")) {
      assertThat(weir(command).out())
          .startsWith("java -Xlog:gc:file=gc.log -Xmx9m -XX:")
          .doesNotContain("-Xlog:disable", "IgnoreUnrecognizedVMOptions");
    }
  }

  @Test
  void changedOrDeletedSourceCausesABuild() throws Exception {
    weir();
    Instant soon = Instant.now().plusSeconds(2);
    Files.setLastModifiedTime(source, FileTime.from(soon));
    weir();
    assertThat(calls()).hasSize(2);
    Files.delete(source);
    age(Instant.now().minusSeconds(3600));
    Path built = root.resolve("cli/target/weir.built");
    Files.setLastModifiedTime(built, FileTime.from(Instant.now().minusSeconds(60)));
    weir();
    assertThat(calls()).hasSize(2);
    Files.delete(source.getParent());
    weir();
    assertThat(calls()).hasSize(3);
  }

  @Test
  void sourceEditedDuringABuildIsBuiltNextTime() throws Exception {
    mvn("mkdir -p cli/target/lib; touch cli/target/lib/a.jar core/src/main/java/A.java");
    weir();
    mvn("mkdir -p cli/target/lib; touch cli/target/lib/a.jar");
    assertThat(weir().err())
        .startsWith("weir: building, since sources are newer than what is built\n");
    assertThat(weir().err()).isEmpty();
    assertThat(calls()).hasSize(2);
  }

  @Test
  void concurrentCallsBuildOnce() throws Exception {
    mvn("mkdir -p cli/target/lib; sleep 1; touch cli/target/lib/a.jar");
    Script.Started one = Script.start(directory, environment, commandLine("one"));
    Script.Started two = Script.start(directory, environment, commandLine("two"));
    assertThat(one.awaitExit().out()).endsWith("/a.jar dev.weir.cli.Main one\n");
    assertThat(two.awaitExit().out()).endsWith("/a.jar dev.weir.cli.Main two\n");
    assertThat(calls()).hasSize(1);
  }

  @Test
  void buildKeepsThePreviousVersionForRunningProcesses() throws Exception {
    for (int i = 0; i < 3; i++) {
      Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
      weir();
    }
    try (Stream<Path> files = Files.list(root.resolve("cli/target"))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("app."))).hasSize(2);
    }
  }

  @Test
  void buildReportsTheCurrentModule() throws Exception {
    mvn(
        """
        mkdir -p cli/target/lib
        touch cli/target/lib/a.jar
        echo '[INFO] Downloaded from somewhere: b.pom'
        echo '[INFO] Building Weir core 0.1.0-SNAPSHOT          [2/9]'
        echo '[INFO] Compiling 3 source files'
        printf '[INFO] Building Weir store'
        sleep 1
        echo ' test kit 0.1.0-SNAPSHOT [3/9]'""");
    CommandRun run = weir();
    assertThat(run.err().lines().map(line -> line.replaceFirst(" \\d+ s:", "")))
        .containsExactly(
            "weir: building for the first time, which may take some minutes",
            "weir: building Weir core (2 of 9)",
            "weir: building Weir store test kit (3 of 9)",
            "weir: preparing a faster start");
    assertThat(Files.readString(root.resolve("cli/target/weir-build.log")))
        .contains("[INFO] Compiling 3 source files\n[INFO] Building Weir store test kit 0.1.0");
  }

  @Test
  void buildReportsTheNumberOfDownloads() throws Exception {
    mvn(
        """
        mkdir -p cli/target/lib
        touch cli/target/lib/a.jar
        echo '[INFO] Downloaded from somewhere: b.pom'
        echo '[INFO] Downloaded from somewhere: c.jar'
        until grep -q downloads "$PROGRESS"; do sleep 0.1; done""");
    link("grep");
    Script.Started started = Script.start(directory, environment, "bash", "-c", progressed());
    assertThat(started.awaitExit().out()).endsWith("/a.jar dev.weir.cli.Main\n");
    assertThat(Files.readString(directory.resolve("progress")))
        .containsPattern("weir: \\d+ s: starting Maven, downloads: 2\n");
  }

  /** Runs the script with its standard error in a file that its Maven can read. */
  private String progressed() {
    Path file = directory.resolve("progress");
    return "export PROGRESS='%s'; exec '%s' 2>'%s'".formatted(file, root.resolve("weir"), file);
  }

  @Test
  void failedBuildShowsItsLogAndIsRetried() throws Exception {
    mvn("echo '[INFO] Downloaded from somewhere: a.jar'; echo boom; exit 1");
    CommandRun run = weir();
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("\nboom\nweir: the build failed; ")
        .doesNotContain("Downloaded from");
    assertThat(weir().err()).contains("boom");
    assertThat(calls()).hasSize(2);
  }

  @Test
  void unsuitableJavaIsReportedWithTheNeededVersion() throws Exception {
    for (String old : List.of("11.0.2", "1.8.0_292", "9", "16.0.1")) {
      release(old);
      CommandRun run = weir();
      assertThat(run.exit()).isEqualTo(3);
      assertThat(run.err())
          .contains("is Java " + old.replaceFirst("^1\\.", ""), "(needed: a JDK from 17 on)");
    }
    for (String young : List.of("17", "21-ea", "25.0.1", "117")) {
      release(young);
      assertThat(weir().exit()).as(young).isEqualTo(7);
    }
    environment.put("JAVA_HOME", "/missing");
    assertThat(weir().err())
        .isEqualTo(
            "weir: JAVA_HOME is /missing, which has no bin/java (needed: a JDK from 17 on)\n");
    environment.remove("JAVA_HOME");
    assertThat(weir().err()).startsWith("weir: no java on the PATH (needed: a JDK from 17 on");
    Files.delete(directory.resolve("jdk/release"));
    script("jdk/bin/java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
    environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    assertThat(weir().err()).contains("is Java 11.0.2 (needed");
  }

  @Test
  void missingBuildToolsAreReported() throws Exception {
    Files.delete(directory.resolve("jdk/bin/javac"));
    assertThat(weir().err()).contains("has no javac (needed to build weir: a JDK, not only a JRE)");
    Files.delete(bin.resolve("mvn"));
    assertThat(weir().err())
        .isEqualTo("weir: no mvn on the PATH (needed to build weir: Maven from 3.8 on)\n");
    environment.put("WEIR_BUILD", "never");
    assertThat(weir().err()).contains("nothing is built in ");
  }

  @Test
  void lockFallsBackToPerlWithoutFlock() throws Exception {
    Programs.require("perl");
    Files.deleteIfExists(bin.resolve("flock"));
    assertThat(weir().err()).contains("cannot lock ", "(needed: flock or perl)");
    assertThat(calls()).isEmpty();
    link("perl");
    concurrentCallsBuildOnce();
  }
}

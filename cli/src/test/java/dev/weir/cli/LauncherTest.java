package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the script builds, and what it says if it cannot: a copy of it in a project that is hardly
 * one, with a Maven and a Java that only tell that they were called.
 */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "cp",
          "date",
          "dirname",
          "env",
          "find",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "touch");

  @TempDir private Path directory = Path.of("");

  private Path root;
  private Path source;
  private Path bin;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void makeProject() throws IOException {
    root = Files.createDirectory(directory.resolve("project"));
    Files.copy(Script.REAL, root.resolve("weir"));
    source = write("project/core/src/main/java/A.java", "class A {}");
    write("project/pom.xml", "<project/>");
    write("project/cli/pom.xml", "<project/>");
    bin = Files.createDirectory(directory.resolve("bin"));
    for (String tool : TOOLS) {
      link(tool);
    }
    link(Programs.find("flock").isPresent() ? "flock" : "perl");
    mvn("mkdir -p cli/target/lib && touch cli/target/lib/a.jar");
    script("jdk/bin/java", "echo \"java $*\"; exit 7");
    script("jdk/bin/javac", "exit 1");
    release("17.0.1");
    environment.put("PATH", bin.toString());
    environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    age(Instant.now().minusSeconds(3600));
  }

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private void script(String name, String text) throws IOException {
    assertThat(write(name, "#!/usr/bin/env bash\n" + text + "\n").toFile().setExecutable(true))
        .isTrue();
  }

  private void mvn(String text) throws IOException {
    script("bin/mvn", "echo \"mvn $* in $JAVA_HOME\" >>\"" + directory + "/calls\"\n" + text);
  }

  private void release(String version) throws IOException {
    write("jdk/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"x\"\n");
  }

  private void link(String tool) throws IOException {
    Files.createSymbolicLink(bin.resolve(tool), Programs.require(tool));
  }

  private void age(Instant time) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(time));
      }
    }
  }

  private Ran weir(Object... args) throws Exception {
    return Script.start(directory, environment, words(args)).ran().isHarmless();
  }

  private Object[] words(Object... args) {
    return Stream.concat(Stream.of(root.resolve("weir")), Stream.of(args)).toArray();
  }

  private List<String> calls() throws IOException {
    Path calls = directory.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  @Test
  void buildsFirstAndThenOnlyRuns() throws Exception {
    Ran first = weir("validate", "a b");
    assertThat(first.exit()).isEqualTo(7);
    assertThat(first.err())
        .matches(
            """
            weir: building for the first time, which may take some minutes
            weir: \\d+ s: preparing a faster start
            """);
    assertThat(first.out()).endsWith("/a.jar dev.weir.cli.Main validate a b\n").hasLineCount(1);
    Ran second = weir();
    assertThat(second.err()).isEmpty();
    assertThat(calls())
        .singleElement()
        .asString()
        .startsWith("mvn -B -pl cli -am package ")
        .endsWith(" in " + directory.resolve("jdk"));
  }

  @Test
  void theServiceStartsByTheArgumentsThatThisJavaWrote() throws Exception {
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
    assertThat(weir("serve").out()).as("which may not know them").doesNotContain("@");
  }

  @Test
  void optionsOfOperatorsComeFirstAndAreNotUndone() throws Exception {
    environment.put("WEIR_JAVA_OPTS", "-Xlog:gc:file=gc.log -Xmx9m");
    for (String command : List.of("serve", "validate")) {
      assertThat(weir(command).out())
          .startsWith("java -Xlog:gc:file=gc.log -Xmx9m -XX:")
          .doesNotContain("-Xlog:disable", "IgnoreUnrecognizedVMOptions");
    }
  }

  @Test
  void buildsAgainWhenASourceChangedOrWent() throws Exception {
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
  void whatIsEditedDuringABuildIsBuiltNextTime() throws Exception {
    mvn("mkdir -p cli/target/lib; touch cli/target/lib/a.jar core/src/main/java/A.java");
    weir();
    mvn("mkdir -p cli/target/lib; touch cli/target/lib/a.jar");
    assertThat(weir().err())
        .startsWith("weir: building, since sources are newer than what is built\n");
    assertThat(weir().err()).isEmpty();
    assertThat(calls()).hasSize(2);
  }

  @Test
  void twoAtATimeBuildOnce() throws Exception {
    mvn("mkdir -p cli/target/lib; sleep 1; touch cli/target/lib/a.jar");
    Script.Started one = Script.start(directory, environment, words("one"));
    Script.Started two = Script.start(directory, environment, words("two"));
    assertThat(one.ran().out()).endsWith("/a.jar dev.weir.cli.Main one\n");
    assertThat(two.ran().out()).endsWith("/a.jar dev.weir.cli.Main two\n");
    assertThat(calls()).hasSize(1);
  }

  @Test
  void aBuildLeavesTheVersionBeforeForWhoeverRunsIt() throws Exception {
    for (int i = 0; i < 3; i++) {
      Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
      weir();
    }
    try (Stream<Path> files = Files.list(root.resolve("cli/target"))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("app."))).hasSize(2);
    }
  }

  @Test
  void aBuildSaysWhichModuleItIsAt() throws Exception {
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
    Ran ran = weir();
    assertThat(ran.err().lines().map(line -> line.replaceFirst(" \\d+ s:", "")))
        .containsExactly(
            "weir: building for the first time, which may take some minutes",
            "weir: building Weir core (2 of 9)",
            "weir: building Weir store test kit (3 of 9)",
            "weir: preparing a faster start");
    assertThat(Files.readString(root.resolve("cli/target/weir-build.log")))
        .contains("[INFO] Compiling 3 source files\n[INFO] Building Weir store test kit 0.1.0");
  }

  @Test
  void aLongDownloadIsCounted() throws Exception {
    mvn(
        """
        mkdir -p cli/target/lib
        touch cli/target/lib/a.jar
        echo '[INFO] Downloaded from somewhere: b.pom'
        echo '[INFO] Downloaded from somewhere: c.jar'
        until grep -q downloads "$PROGRESS"; do sleep 0.1; done""");
    link("grep");
    Script.Started started = Script.start(directory, environment, "bash", "-c", progressed());
    assertThat(started.ran().out()).endsWith("/a.jar dev.weir.cli.Main\n");
    assertThat(Files.readString(directory.resolve("progress")))
        .containsPattern("weir: \\d+ s: starting Maven, downloads: 2\n");
  }

  /** Runs the script with its standard error in a file that its Maven can read. */
  private String progressed() {
    Path file = directory.resolve("progress");
    return "export PROGRESS='%s'; exec '%s' 2>'%s'".formatted(file, root.resolve("weir"), file);
  }

  @Test
  void aBuildThatFailsShowsWhyAndIsTriedAgain() throws Exception {
    mvn("echo '[INFO] Downloaded from somewhere: a.jar'; echo boom; exit 1");
    Ran ran = weir();
    assertThat(ran.exit()).isEqualTo(3);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("\nboom\nweir: the build failed; ")
        .doesNotContain("Downloaded from");
    assertThat(weir().err()).contains("boom");
    assertThat(calls()).hasSize(2);
  }

  @Test
  void saysWhichJavaItNeeds() throws Exception {
    for (String old : List.of("11.0.2", "1.8.0_292", "9", "16.0.1")) {
      release(old);
      Ran ran = weir();
      assertThat(ran.exit()).isEqualTo(3);
      assertThat(ran.err())
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
  void saysWhatItNeedsToBuild() throws Exception {
    Files.delete(directory.resolve("jdk/bin/javac"));
    assertThat(weir().err()).contains("has no javac (needed to build weir: a JDK, not only a JRE)");
    Files.delete(bin.resolve("mvn"));
    assertThat(weir().err())
        .isEqualTo("weir: no mvn on the PATH (needed to build weir: Maven from 3.8 on)\n");
    environment.put("WEIR_BUILD", "never");
    assertThat(weir().err()).contains("nothing is built in ");
  }

  @Test
  void withoutFlockItLocksWithPerl() throws Exception {
    Programs.require("perl");
    Files.deleteIfExists(bin.resolve("flock"));
    assertThat(weir().err()).contains("cannot lock ", "(needed: flock or perl)");
    assertThat(calls()).isEmpty();
    link("perl");
    twoAtATimeBuildOnce();
  }
}

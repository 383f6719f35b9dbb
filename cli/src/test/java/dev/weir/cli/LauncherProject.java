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
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy of the script in a minimal project, with fake Maven and Java programs that only report
 * their calls.
 */
abstract class LauncherProject {
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

  @TempDir Path directory = Path.of("");

  Path root;
  Path source;
  Path bin;
  final Map<String, String> environment = new HashMap<>();

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

  /** Writes a file below the temporary directory. */
  Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Writes an executable script. */
  void script(String name, String text) throws IOException {
    assertThat(write(name, "#!/usr/bin/env bash\n" + text + "\n").toFile().setExecutable(true))
        .isTrue();
  }

  /** Replaces the fake Maven, which records its calls and then runs {@code text}. */
  void mvn(String text) throws IOException {
    script("bin/mvn", "echo \"mvn $* in $JAVA_HOME\" >>\"" + directory + "/calls\"\n" + text);
  }

  /** Sets the version of the fake Java. */
  void release(String version) throws IOException {
    write("jdk/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"x\"\n");
  }

  /** Makes a tool of this machine available to the script. */
  void link(String tool) throws IOException {
    Files.createSymbolicLink(bin.resolve(tool), Programs.require(tool));
  }

  /** Sets the modification time of all files of the project. */
  void age(Instant time) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(time));
      }
    }
  }

  /** Runs the copy of the script. */
  CommandRun weir(Object... args) throws Exception {
    return Script.start(directory, environment, commandLine(args)).awaitExit().assertHarmless();
  }

  /** The command line of the copy of the script. */
  Object[] commandLine(Object... args) {
    return Stream.concat(Stream.of(root.resolve("weir")), Stream.of(args)).toArray();
  }

  /** The calls of the fake Maven. */
  List<String> calls() throws IOException {
    Path calls = directory.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }
}

package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script as users run it, with the packaged program; it must not build within a build. */
class ScriptIT {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private final Map<String, String> environment = new HashMap<>();

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void neverBuild() {
    environment.put("PATH", System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("WEIR_BUILD", "never");
  }

  private CommandRun run(Object... words) throws Exception {
    return Script.start(directory, environment, words).awaitExit().assertHarmless();
  }

  @Test
  void validateAcceptsTheSample() throws Exception {
    Path sample = CommandRun.SAMPLE.toAbsolutePath().normalize();
    CommandRun run = run(Script.REAL, "validate", sample);
    assertThat(run.exit()).isEqualTo(0);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains(sample + ": ok, 8 rules, ");
  }

  @Test
  void pathsAreRelativeToTheWorkingDirectory() throws Exception {
    Files.copy(CommandRun.SAMPLE, directory.resolve("größe.yaml"));
    environment.put("LC_ALL", "C");
    CommandRun run = run(Script.REAL, "validate", "größe.yaml");
    assertThat(run.exit()).isEqualTo(0);
    assertThat(run.out()).contains("größe.yaml: ok, 8 rules, ");
  }

  @Test
  void scriptCanBeCalledThroughLinks() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("with space"));
    Files.createSymbolicLink(bin.resolve("weir"), Script.REAL);
    Files.createSymbolicLink(directory.resolve("w"), Path.of("with space/weir"));
    assertThat(run("./w", "--version").out()).matches("weir [0-9].*, Java .*\n");
    environment.put("PATH", bin + ":" + environment.get("PATH"));
    assertThat(run("bash", "-c", "weir --version").exit()).isEqualTo(0);
  }

  @Test
  void exitCodeAndArgumentsArePassedThrough() throws Exception {
    Files.writeString(directory.resolve("bad rules.yaml"), "rules: 1\n");
    CommandRun run = run(Script.REAL, "validate", "bad rules.yaml", "-q");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).startsWith("bad rules.yaml:1:8: rules: ");
    assertThat(run(Script.REAL, "explain", "bad rules.yaml", "--request", "*").exit()).isEqualTo(2);
  }

  /** Writes an archive, and returns the argument that names its argument file. */
  private String archive() throws Exception {
    CommandRun archived = run(Script.REAL, "archive");
    assertThat(archived.exit()).as(archived.err()).isEqualTo(0);
    Path arguments = Script.REAL.resolveSibling("cli/target/lib/serve.args");
    assertThat(archived.out()).contains("try:  java @" + arguments + " serve");
    assertThat(arguments).content().containsPattern("SharedArchiveFile=|AOTCache=");
    return "@" + arguments;
  }

  /** Starts a server that exits at once; the arguments come before those of the server. */
  private CommandRun train(Object... words) throws Exception {
    List<Object> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("serve", "--train", "--warm-up-seconds", 0));
    all.addAll(List.of("--port", 0, "--grpc-port", 0, "--admin-port", 0));
    return run(all.toArray());
  }

  @Test
  void archiveWorksWithoutTheScript() throws Exception {
    String arguments = archive();
    // Java does not start if it cannot use the archive.
    CommandRun run = train(JAVA, "-Xshare:on", arguments);
    assertThat(run.exit()).as(run.err()).isEqualTo(0);
    assertThat(run.out()).contains("try:  curl -i ");
  }

  @Test
  void archiveKeepsTheOptionsOfOperators() throws Exception {
    String arguments = archive();
    environment.put("JAVA_TOOL_OPTIONS", "-Xlog:gc:file=tool.log");
    environment.put("WEIR_JAVA_OPTS", "-Xlog:gc:file=weir.log");
    for (List<String> start : List.of(List.of(JAVA, arguments), List.of("" + Script.REAL))) {
      CommandRun run = train(start.toArray());
      assertThat(run.exit()).as(run.err()).isEqualTo(0);
      assertThat(run.out()).startsWith("weir: ");
      assertThat(directory.resolve("tool.log")).content().contains("Using G1");
      Files.delete(directory.resolve("tool.log"));
    }
    assertThat(directory.resolve("weir.log")).content().contains("Using G1");
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("WEIR_JAVA_OPTS", "-XX:+MisspeltOption");
    for (CommandRun run :
        List.of(train(Script.REAL), train(JAVA, "-XX:+MisspeltOption", arguments))) {
      assertThat(run.exit()).isNotEqualTo(0);
      assertThat(run.out() + run.err()).contains("Unrecognized VM option 'MisspeltOption'");
    }
  }
}

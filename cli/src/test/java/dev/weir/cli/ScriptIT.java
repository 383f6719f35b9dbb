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

/**
 * The script as users run it, on what Maven has just packaged; it must not build within a build.
 */
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

  private Ran run(Object... words) throws Exception {
    return Script.start(directory, environment, words).ran().isHarmless();
  }

  @Test
  void validatesTheSample() throws Exception {
    Path sample = Ran.SAMPLE.toAbsolutePath().normalize();
    Ran ran = run(Script.REAL, "validate", sample);
    assertThat(ran.exit()).isEqualTo(0);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains(sample + ": ok, 8 rules, ");
  }

  @Test
  void pathsAreRelativeToWhereItIsCalled() throws Exception {
    Files.copy(Ran.SAMPLE, directory.resolve("größe.yaml"));
    environment.put("LC_ALL", "C");
    Ran ran = run(Script.REAL, "validate", "größe.yaml");
    assertThat(ran.exit()).isEqualTo(0);
    assertThat(ran.out()).contains("größe.yaml: ok, 8 rules, ");
  }

  @Test
  void canBeCalledThroughLinks() throws Exception {
    Path bin = Files.createDirectory(directory.resolve("with space"));
    Files.createSymbolicLink(bin.resolve("weir"), Script.REAL);
    Files.createSymbolicLink(directory.resolve("w"), Path.of("with space/weir"));
    assertThat(run("./w", "--version").out()).matches("weir [0-9].*, Java .*\n");
    environment.put("PATH", bin + ":" + environment.get("PATH"));
    assertThat(run("bash", "-c", "weir --version").exit()).isEqualTo(0);
  }

  @Test
  void theExitCodeIsTheProgramsAndWordsStayWhole() throws Exception {
    Files.writeString(directory.resolve("bad rules.yaml"), "rules: 1\n");
    Ran ran = run(Script.REAL, "validate", "bad rules.yaml", "-q");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.out()).startsWith("bad rules.yaml:1:8: rules: ");
    assertThat(run(Script.REAL, "explain", "bad rules.yaml", "--request", "*").exit()).isEqualTo(2);
  }

  /** Writes an archive, and returns the arguments to start with. */
  private String archive() throws Exception {
    Ran archived = run(Script.REAL, "archive");
    assertThat(archived.exit()).as(archived.err()).isEqualTo(0);
    Path arguments = Script.REAL.resolveSibling("cli/target/lib/serve.args");
    assertThat(archived.out()).contains("try:  java @" + arguments + " serve");
    assertThat(arguments).content().containsPattern("SharedArchiveFile=|AOTCache=");
    return "@" + arguments;
  }

  /** Starts a server that ends at once, by words of java before its own. */
  private Ran train(Object... words) throws Exception {
    List<Object> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("serve", "--train", "--warm-up-seconds", 0));
    all.addAll(List.of("--port", 0, "--grpc-port", 0, "--admin-port", 0));
    return run(all.toArray());
  }

  @Test
  void anArchiveIsForEveryWayOfStarting() throws Exception {
    String arguments = archive();
    // With an archive that must be used, or Java does not start.
    Ran ran = train(JAVA, "-Xshare:on", arguments);
    assertThat(ran.exit()).as(ran.err()).isEqualTo(0);
    assertThat(ran.out()).contains("try:  curl -i ");
  }

  @Test
  void anArchiveLeavesTheOptionsOfOperatorsAlone() throws Exception {
    String arguments = archive();
    environment.put("JAVA_TOOL_OPTIONS", "-Xlog:gc:file=tool.log");
    environment.put("WEIR_JAVA_OPTS", "-Xlog:gc:file=weir.log");
    for (List<String> start : List.of(List.of(JAVA, arguments), List.of("" + Script.REAL))) {
      Ran ran = train(start.toArray());
      assertThat(ran.exit()).as(ran.err()).isEqualTo(0);
      assertThat(ran.out()).startsWith("weir: ");
      assertThat(directory.resolve("tool.log")).content().contains("Using G1");
      Files.delete(directory.resolve("tool.log"));
    }
    assertThat(directory.resolve("weir.log")).content().contains("Using G1");
    environment.remove("JAVA_TOOL_OPTIONS");
    environment.put("WEIR_JAVA_OPTS", "-XX:+MisspeltOption");
    for (Ran ran : List.of(train(Script.REAL), train(JAVA, "-XX:+MisspeltOption", arguments))) {
      assertThat(ran.exit()).isNotEqualTo(0);
      assertThat(ran.out() + ran.err()).contains("Unrecognized VM option 'MisspeltOption'");
    }
  }
}

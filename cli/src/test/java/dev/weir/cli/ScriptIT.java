package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script as users run it, on what Maven has just packaged; it must not build within a build.
 */
class ScriptIT {
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

  @Test
  void anArchiveIsForEveryWayOfStarting() throws Exception {
    Ran archived = run(Script.REAL, "archive");
    assertThat(archived.exit()).as(archived.err()).isEqualTo(0);
    Path arguments = Script.REAL.resolveSibling("cli/target/lib/serve.args");
    assertThat(archived.out()).contains("try:  java @" + arguments + " serve");
    assertThat(arguments).content().containsPattern("SharedArchiveFile=|AOTCache=");
    // With an archive that must be used, or Java does not start.
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Ran ran =
        run(
            java,
            "-Xshare:on",
            "@" + arguments,
            "serve",
            "--train",
            "--port",
            0,
            "--grpc-port",
            0,
            "--admin-port",
            0);
    assertThat(ran.exit()).as(ran.err()).isEqualTo(0);
    assertThat(ran.out()).contains("try:  curl -i ");
  }
}

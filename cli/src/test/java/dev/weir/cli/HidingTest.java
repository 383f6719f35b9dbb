package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script by which continuous integration runs the tests without some programs. */
class HidingTest {
  private static final Path WITHOUT = Path.of("../.ci/without").toAbsolutePath().normalize();

  @TempDir private Path directory = Path.of("");

  private String path = "";

  @BeforeEach
  void makePath() throws Exception {
    for (String name : new String[] {"first/hidden", "first/shown", "second/hidden"}) {
      Path program = directory.resolve(name);
      Files.createDirectories(program.getParent());
      Files.writeString(program, "#!/bin/sh\necho " + name + "\n");
      assertThat(program.toFile().setExecutable(true)).isTrue();
    }
    String usual = Programs.require("bash").getParent() + ":" + System.getenv("PATH");
    path = directory.resolve("first") + ":" + directory.resolve("second") + ":" + usual;
  }

  private Ran run(Object... words) throws Exception {
    Map<String, String> environment = Map.of("PATH", path, "TMPDIR", directory.toString());
    return Script.start(directory, environment, words).ran();
  }

  @Test
  void whatIsHiddenIsNowhereAndEverythingElseIsWhereItWas() throws Exception {
    assertThat(run("bash", "-c", "hidden").out()).isEqualTo("first/hidden\n");
    Ran ran = run(WITHOUT, "hidden", "bash", "-c", "shown; hidden; ls >/dev/null && exit 7");
    assertThat(ran.out()).isEqualTo("first/shown\n");
    assertThat(ran.err()).contains("hidden: command not found");
    assertThat(ran.exit()).isEqualTo(7);
    try (var left = Files.list(directory)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("first", "second");
    }
  }

  @Test
  void itIsToldWhatToHideAndWhatToRun() throws Exception {
    Ran ran = run(WITHOUT, "hidden");
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err()).startsWith("usage: ");
  }
}

package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import dev.weir.testkit.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that hides programs from the tests in continuous integration. */
class WithoutScriptTest {
  private static final Path WITHOUT = Repository.path(".ci/without");

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
    String rest = Programs.require("bash").getParent() + ":" + System.getenv("PATH");
    path = directory.resolve("first") + ":" + directory.resolve("second") + ":" + rest;
  }

  private CommandRun run(Object... words) throws Exception {
    Map<String, String> environment = Map.of("PATH", path, "TMPDIR", directory.toString());
    return Script.start(directory, environment, words).awaitExit();
  }

  @Test
  void hiddenProgramIsRemovedFromThePathAndOthersStay() throws Exception {
    assertThat(run("bash", "-c", "hidden").out()).isEqualTo("first/hidden\n");
    CommandRun run = run(WITHOUT, "hidden", "bash", "-c", "shown; hidden; ls >/dev/null && exit 7");
    assertThat(run.out()).isEqualTo("first/shown\n");
    assertThat(run.err()).contains("hidden: command not found");
    assertThat(run.exit()).isEqualTo(7);
    try (var left = Files.list(directory)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("first", "second");
    }
  }

  @Test
  void missingArgumentsPrintUsage() throws Exception {
    CommandRun run = run(WITHOUT, "hidden");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: ");
  }
}

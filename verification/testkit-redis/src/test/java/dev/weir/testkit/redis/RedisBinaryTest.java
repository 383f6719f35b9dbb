package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Selection of the Redis program. */
class RedisBinaryTest {
  @ParameterizedTest
  @EnumSource
  void reportsItsVersion(Binaries binary) {
    assertThat(binary.get().version()).matches("(6\\.[2-9]|[7-9]|\\d\\d).*");
  }

  @Test
  void theInstalledProgramIsTheDefaultElseTheEmbedded(@TempDir Path folder) throws Exception {
    assertThat(RedisBinary.choose(null, folder.toString())).isEqualTo(RedisBinary.embedded());
    Path program = Files.createFile(folder.resolve("redis-server"));
    assertThat(RedisBinary.choose(null, folder.toString())).isEqualTo(RedisBinary.embedded());
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String path = "/nowhere:" + folder;
    assertThat(RedisBinary.choose(null, path)).isEqualTo(new RedisBinary(program));
    assertThat(RedisBinary.choose("path", path)).isEqualTo(new RedisBinary(program));
    assertThat(RedisBinary.choose("embedded", path)).isEqualTo(RedisBinary.embedded());
    assertThat(RedisBinary.choose(program.toString(), null)).isEqualTo(new RedisBinary(program));
  }

  @Test
  void anUnavailableProgramIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedisBinary.choose("path", "/nowhere"))
        .withMessage("-Dweir.redis=path: no redis-server on the PATH (expected: embedded)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedisBinary.choose("docker", "/nowhere"))
        .withMessage(
            "-Dweir.redis=docker: no program"
                + " (expected: path, embedded or the absolute path of a program)");
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64",
    "Linux, aarch64",
    "Linux, i386",
    "Mac OS X, x86_64",
    "Mac OS X, aarch64"
  })
  void theArtifactHasAProgramForThisMachine(String os, String arch) {
    assertThat(getClass().getResource("/" + EmbeddedProgram.resource(os, arch))).isNotNull();
  }

  @Test
  void unsupportedMachinesAreRejected() {
    assertThatIllegalStateException()
        .isThrownBy(() -> EmbeddedProgram.resource("Linux", "riscv64"))
        .withMessage(
            "no usable redis-server for linux-riscv64 in embedded-redis (expected: one of"
                + " [darwin-amd64, darwin-arm64, linux-386, linux-amd64, linux-arm64]);"
                + " install one");
  }

  @Test
  void aProgramOtherThanRedisIsRejected() {
    assertThatIllegalStateException()
        .isThrownBy(() -> new RedisBinary(Path.of("/bin/echo")).version())
        .withMessageContaining("(expected: … v=N.N.N)");
  }
}

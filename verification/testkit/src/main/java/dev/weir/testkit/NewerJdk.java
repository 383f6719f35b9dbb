package dev.weir.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Runs programs on the newest JDK beside the one in use, for what that one lacks, such as virtual
 * threads. Thread-safe.
 */
public final class NewerJdk {
  private NewerJdk() {}

  /**
   * Runs a program on the class path of this JVM; aborts the test if there is no such JDK.
   *
   * @param version the oldest JDK that will do
   * @param program a class with a {@code main} method
   * @return what it printed
   * @throws IOException if it cannot be started
   * @throws InterruptedException if the thread is interrupted; the program is ended then
   * @throws IllegalStateException if it fails, with what it printed
   */
  public static String run(int version, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    Path java =
        find(version)
            .orElseGet(() -> Assumptions.abort("needs a JDK of version " + version + " or newer"));
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream output = process.getInputStream()) {
      String printed = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new IllegalStateException(program.getName() + ": exit " + status + "\n" + printed);
      }
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }

  private static Optional<Path> find(int oldest) throws IOException {
    Path folder = Path.of(System.getProperty("java.home")).toRealPath().getParent();
    if (folder == null) {
      return Optional.empty();
    }
    try (Stream<Path> beside = Files.list(folder)) {
      return beside
          .filter(home -> version(home) >= oldest)
          .max(Comparator.comparingInt(NewerJdk::version))
          .map(home -> home.resolve("bin").resolve("java"));
    }
  }

  /** The version of a JDK, which its file {@code release} states; 0 if there is none. */
  private static int version(Path home) {
    Properties release = new Properties();
    try (InputStream in = Files.newInputStream(home.resolve("release"))) {
      release.load(in);
    } catch (IOException e) {
      return 0;
    }
    String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
    String major = version.split("[.+-]", 2)[0];
    return major.matches("\\d{1,4}") ? Integer.parseInt(major) : 0;
  }
}

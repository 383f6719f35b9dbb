package dev.weir.cli;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Makes a server start sooner, however it is started: with classes in a form that Java maps into
 * memory, and from JDK 25 on with profiles of what is worth compiling (JEP 483, 515).
 *
 * <p>What comes of it lies beside the jars and is good for this Java and these jars only.
 */
@Command(
    name = "archive",
    description = "Makes 'serve' start sooner: writes an archive of classes beside the jars.",
    customSynopsis = "weir archive",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "The script does it after each build. Anybody else runs it once, where the jars",
      "are to stay, such as in an image, and then starts",
      "  java @DIR/serve.args serve ...",
      "where DIR has the jars."
    })
final class ArchiveCommand implements Callable<Integer> {
  private static final String ARGUMENTS = "serve.args";
  private static final int WITH_PROFILES = 25;
  private static final long TRAINING_SECONDS = 120;

  /** A heap is archived for one collector. A server without memory is of no use to anybody. */
  private static final List<String> OPTIONS =
      List.of("-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", quiet());

  private final Terminal out;

  ArchiveCommand(Terminal out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Path directory = directory();
    String classPath = classPath(directory);
    String archive =
        Runtime.version().feature() >= WITH_PROFILES
            ? withProfiles(directory, classPath)
            : withoutProfiles(directory, classPath);
    List<String> arguments = new ArrayList<>(OPTIONS);
    arguments.add(archive);
    arguments.add("-cp");
    arguments.add(classPath);
    arguments.add(Main.class.getName());
    Path file = directory.resolve(ARGUMENTS);
    List<String> lines = new ArrayList<>();
    // The script goes by this line: another Java may not know all of these options.
    lines.add("# Java " + System.getProperty("java.version"));
    arguments.stream().map(ArchiveCommand::quoted).forEach(lines::add);
    Files.write(file, lines);
    out.line("weir: archive for Java ", Runtime.version().feature(), " in ", directory);
    out.line("try:  java @", file, " serve");
    return Exit.OK;
  }

  /**
   * That an archive does not fit is for nobody to know: everything works without it. What else Java
   * has to say is not for us to hide, and a tag that it does not know it refuses.
   */
  private static String quiet() {
    return Runtime.version().feature() >= WITH_PROFILES
        ? "-Xlog:cds*=off,aot*=off"
        : "-Xlog:cds*=off";
  }

  /** One run teaches, and writes when it ends. */
  private static String withProfiles(Path directory, String classPath)
      throws IOException, InterruptedException, Failure {
    Path cache = directory.resolve("serve.aot");
    Files.deleteIfExists(cache);
    train(directory, classPath, "-XX:AOTCacheOutput=" + cache);
    return existing("-XX:AOTCache=", cache);
  }

  /** One run tells which classes are needed, another writes them. */
  private static String withoutProfiles(Path directory, String classPath)
      throws IOException, InterruptedException, Failure {
    Path classes = directory.resolve("serve.classes");
    Path archive = directory.resolve("serve.jsa");
    Files.deleteIfExists(archive);
    train(directory, classPath, "-XX:DumpLoadedClassList=" + classes);
    List<String> dump = new ArrayList<>(OPTIONS);
    dump.addAll(
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + classes,
            "-XX:SharedArchiveFile=" + archive,
            "-cp",
            classPath));
    java(directory, dump);
    Files.deleteIfExists(classes);
    return existing("-XX:SharedArchiveFile=", archive);
  }

  private static String existing(String option, Path file) throws Failure {
    if (!Files.isRegularFile(file)) {
      throw new Failure(Exit.UNEXPECTED, file + ": not written by Java " + Runtime.version());
    }
    return option + file;
  }

  /** A server that uses all that it has, and ends. */
  private static void train(Path directory, String classPath, String option)
      throws IOException, InterruptedException, Failure {
    List<String> words = new ArrayList<>(OPTIONS);
    words.addAll(List.of(option, "-cp", classPath, Main.class.getName()));
    words.addAll(List.of("serve", "--train", "--host", "127.0.0.1", "--port", "0"));
    words.addAll(List.of("--grpc-port", "0", "--admin-port", "0"));
    java(directory, words);
  }

  private static void java(Path directory, List<String> words)
      throws IOException, InterruptedException, Failure {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(words);
    Path log = directory.resolve("archive.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(ArchiveCommand::changesTraining);
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new Failure(
          Exit.UNEXPECTED, "no archive within " + TRAINING_SECONDS + " s; see " + log);
    }
    if (process.exitValue() != 0) {
      throw new Failure(
          Exit.UNEXPECTED, "no archive, java exited with " + process.exitValue() + "; see " + log);
    }
  }

  /** What a server would read from the environment. */
  private static boolean changesTraining(String variable) {
    return !List.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR").contains(variable);
  }

  private static Path directory() throws IOException, Failure {
    try {
      Path jar = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        return Objects.requireNonNull(jar.toAbsolutePath().getParent());
      }
      throw new Failure(Exit.USAGE, jar + ": not a jar (expected: weir from its jars)");
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static String classPath(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> jars =
          files.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted().toList();
      return String.join(File.pathSeparator, jars);
    }
  }

  /** As java reads argument files. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}

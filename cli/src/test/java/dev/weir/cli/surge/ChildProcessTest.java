package dev.weir.cli.surge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cli.CommandRun;
import dev.weir.cli.Main;
import dev.weir.cli.Script;
import dev.weir.cli.command.Failure;
import dev.weir.load.service.Capacity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Pattern READY = Pattern.compile("ready at (\\S+)");
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private Path directory = Path.of("");

  private static ChildProcess shell(String script) throws Failure {
    return ChildProcess.start("child", List.of("sh", "-c", script), READY);
  }

  private static void awaitEnd(long pid) throws Exception {
    var process = ProcessHandle.of(pid);
    if (process.isPresent()) {
      process.get().onExit().get();
    }
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
  }

  @Test
  void childIsReadyWhenItSaysSoAndEndsWhenItIsClosed() throws Exception {
    long pid;
    try (ChildProcess child = shell("echo starting; echo ready at here; exec sleep 1000")) {
      assertThat(child.awaitReady(LONG)).isEqualTo("here");
      assertThat(child.lastLines()).containsExactly("starting", "ready at here");
      pid = child.pid();
    }
    awaitEnd(pid);
  }

  @Test
  void childThatIgnoresTheSignalIsKilled() throws Exception {
    ChildProcess child = shell("trap '' TERM; echo ready at here; while :; do sleep 1; done");
    assertThat(child.awaitReady(LONG)).isEqualTo("here");
    child.close();
    awaitEnd(child.pid());
  }

  @Test
  void childThatEndsEarlyIsReportedWithWhatItSaid() throws Exception {
    try (ChildProcess child = shell("echo no such option >&2; exit 2")) {
      assertThatThrownBy(() -> child.awaitReady(LONG))
          .isInstanceOf(Failure.class)
          .hasMessage("child: ended before it was ready; it said: no such option");
    }
  }

  @Test
  void childThatSaysNothingIsNotWaitedForForever() throws Exception {
    try (ChildProcess child = shell("exec sleep 1000")) {
      assertThatThrownBy(() -> child.awaitReady(Duration.ofMillis(1)))
          .isInstanceOf(Failure.class)
          .hasMessage("child: not ready within 0 s");
    }
  }

  @Test
  void missingProgramIsReported() {
    assertThatThrownBy(() -> ChildProcess.start("child", List.of("/no/such/program"), READY))
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith("child: cannot start: ");
  }

  @Test
  void serviceRunsInAProcessOfItsOwn() throws Exception {
    long pid;
    try (Programs.Running service = new Programs(Main.class).service(0, Capacity.of(200))) {
      HttpRequest health = HttpRequest.newBuilder(URI.create(service.url() + "/healthz")).build();
      int status = HttpClient.newHttpClient().send(health, BodyHandlers.discarding()).statusCode();
      assertThat(status).isEqualTo(200);
      pid = service.process().pid();
      assertThat(pid).isNotEqualTo(ProcessHandle.current().pid());
    }
    awaitEnd(pid);
  }

  @Test
  void childEndsWithAProcessThatIsEndedByASignal() throws Exception {
    Script.Started parent =
        Script.startPiped(
            directory,
            Map.of(),
            Path.of(System.getProperty("java.home"), "bin", "java"),
            "-cp",
            System.getProperty("java.class.path"),
            Parent.class.getName());
    String said = "";
    while (!said.endsWith("\n")) {
      assertThat(parent.process().isAlive()).as(Files.readString(parent.err())).isTrue();
      Thread.onSpinWait();
      said = Files.readString(parent.out());
    }
    parent.process().toHandle().destroy();
    CommandRun run = parent.awaitExit();
    assertThat(run.exit()).isEqualTo(143);
    awaitEnd(Long.parseLong(said.strip()));
  }

  /** Starts a child, says its ID and waits. */
  static final class Parent {
    private Parent() {}

    /** Runs until a signal. */
    public static void main(String[] arguments) throws Exception {
      ChildProcess child = shell("echo ready at here; exec sleep 1000");
      var unused = child.awaitReady(LONG);
      System.out.println(child.pid());
      Thread.currentThread().join();
    }
  }
}

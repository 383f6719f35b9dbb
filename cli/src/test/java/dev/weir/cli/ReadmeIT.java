package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The session of the README, line by line, with the packaged program. */
class ReadmeIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern START = Pattern.compile("(?s)## Start\n\n```\n(.*?)```");
  private static final Pattern TRY = Pattern.compile("try:  curl -i http://([0-9.:]+)/");
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
  private static final int SERVE_SECONDS = 90;

  private final Map<String, String> environment = new HashMap<>();
  private Script.Started served;
  private String address = "";

  @SuppressWarnings("NullAway.Init")
  ReadmeIT() {}

  @BeforeEach
  void serve() throws Exception {
    environment.put("PATH", System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("WEIR_BUILD", "never");
    assertThat(lines().get(0)).startsWith("./weir serve ");
    long start = System.nanoTime();
    List<String> ports = List.of("--port", "0", "--grpc-port", "0", "--admin-port", "0");
    List<Object> words = new ArrayList<>(List.of("./weir", "serve"));
    words.addAll(ports);
    served = Script.start(ROOT, environment, words.toArray());
    Matcher found = TRY.matcher("");
    while (!found.reset(Files.readString(served.out())).find()) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(SERVE_SECONDS));
      assertThat(served.process().isAlive()).as(Files.readString(served.err())).isTrue();
      Thread.sleep(20);
    }
    address = found.group(1);
    System.out.printf("ready after %d ms%n", (System.nanoTime() - start) / 1_000_000);
  }

  @AfterEach
  void stop() throws Exception {
    served.process().destroy();
    assertThat(served.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
  }

  private static List<String> session() throws IOException {
    Matcher block = START.matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(block.find()).isTrue();
    return block.group(1).lines().toList();
  }

  /** The commands of the session. */
  private static List<String> lines() throws IOException {
    return session().stream().filter(line -> line.startsWith("$ ")).map(ReadmeIT::command).toList();
  }

  private static String command(String line) {
    return line.substring("$ ".length());
  }

  /** What the session shows as the output of a command, numbers apart. */
  private static List<String> shown(int command) throws IOException {
    List<String> shown = new ArrayList<>();
    int commands = -1;
    for (String line : session()) {
      commands += line.startsWith("$ ") ? 1 : 0;
      if (commands == command && !line.startsWith("$ ")) {
        shown.add(withoutNumbers(line));
      }
    }
    assertThat(shown).isNotEmpty();
    return shown;
  }

  private static String withoutNumbers(String text) {
    return text.replaceAll("\\d+", "N");
  }

  private static List<String> printed(String output) {
    return withoutNumbers(output).lines().map(String::strip).toList();
  }

  private CommandRun run(String line) throws Exception {
    String here = line.replace("127.0.0.1:8080", address);
    return Script.start(ROOT, environment, "bash", "-c", here).awaitExit();
  }

  @Test
  void commandsOfTheReadmeSucceed() throws Exception {
    String setting = "";
    for (String line : lines().subList(1, lines().size())) {
      if (line.startsWith("rules=")) {
        setting = line + "\n";
      } else if (!line.startsWith("curl ")) {
        CommandRun run = run(setting + line).assertHarmless();
        // A request beyond the sample rules is denied.
        assertThat(run.exit()).as(line + run.err()).isIn(0, line.contains(" check ") ? 1 : 0);
        assertThat(run.out()).as(line).isNotEmpty();
      }
    }
  }

  @Test
  void serverAndAnswersPrintWhatTheReadmeShows() throws Exception {
    Programs.require("curl");
    assertThat(printed(Files.readString(served.out()))).containsAll(shown(0));
    String curl = lines().get(1);
    String answer = run(curl).out();
    assertThat(printed(answer)).containsAll(shown(1));
    for (int i = 0; i < 30 && status(answer) == 200; i++) {
      answer = run(curl).out();
    }
    assertThat(printed(answer)).containsAll(shown(2));
  }

  @Test
  void headersCountDownToADenialThatEndsAfterRetryAfter() throws Exception {
    Programs.require("curl");
    String curl =
        lines().stream().filter(line -> line.startsWith("curl ")).findFirst().orElseThrow();
    long left = 10;
    String answer = run(curl).out();
    for (int i = 0; i < 30 && status(answer) == 200; i++) {
      long now = header(answer, "X-RateLimit-Remaining");
      // One less each time; on a slow machine one may be refilled in between.
      assertThat(now).isBetween(left - 1, left);
      left = now;
      answer = run(curl).out();
    }
    assertThat(left).isZero();
    assertThat(status(answer)).isEqualTo(429);
    long wait = header(answer, "Retry-After");
    assertThat(wait).isBetween(1L, 6L);
    TimeUnit.SECONDS.sleep(wait);
    assertThat(status(run(curl).out())).isEqualTo(200);
  }

  private static int status(String answer) {
    Matcher status = STATUS.matcher(answer);
    assertThat(status.lookingAt()).as(answer).isTrue();
    return Integer.parseInt(status.group(1));
  }

  private static long header(String answer, String name) {
    Matcher value = Pattern.compile("(?i)\n" + name + ": (\\d+)\r?\n").matcher(answer);
    assertThat(value.find()).as(name + " in " + answer).isTrue();
    return Long.parseLong(value.group(1));
  }
}

package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorArgumentsTest {
  @TempDir private Path directory = Path.of("");
  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    rules = Files.writeString(directory.resolve("rules.yaml"), Clinic.RULES);
  }

  private CommandRun doctor(String url, Object... flags) {
    List<Object> words = new ArrayList<>(List.of("doctor", url, "--rules", rules));
    words.addAll(List.of(flags));
    return CommandRun.weir(words.toArray()).assertHarmless();
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertThat(CommandRun.weir("doctor").err())
        .contains("URL: nothing (expected: URL and --rules; or --store)");
    assertThat(CommandRun.weir("doctor", "http://127.0.0.1:1").err()).contains("--rules: nothing");
    assertThat(doctor("ftp://127.0.0.1:1").err()).contains("URL: ftp://127.0.0.1:1 (expected: ");
    assertThat(doctor("http://192.0.2.1").err())
        .contains("URL: http://192.0.2.1 (expected: an address of this machine; --allow-remote");
    String url = "http://127.0.0.1:1";
    assertThat(doctor(url, "--only", "nothing").err()).contains("--only: nothing (expected: ");
    assertThat(doctor(url, "--skip", "pain").err())
        .contains("--skip: pain (expected: limiter-answers, ");
    assertThat(doctor(url, "--path", "login").err()).contains("--path: login (expected: ");
    assertThat(doctor(url, "--path", "/a b").err()).contains("--path: /a b (expected: ");
    assertThat(doctor(url, "--header", "a\r\nb: c").err()).contains("--header: ");
    assertThat(doctor(url, "--host", "a b").err()).contains("--host: a b (expected: ");
    assertThat(doctor(url, "--server", "nothing").err()).contains("--server: nothing (expected: ");
    for (String flag : List.of("--max-requests", "--max-seconds", "--pause-millis", "--seed")) {
      for (String value : List.of("-1", "x", "9999999999999999999", "1.5", "")) {
        CommandRun run = doctor(url, flag + "=" + value);
        assertThat(run.exit()).as(flag + value).isEqualTo(2);
        assertThat(run.err()).contains(flag + ": ");
      }
    }
  }

  @Test
  void nothingIsSentUnlessSomebodyAgrees() throws Exception {
    CommandRun run = doctor("http://127.0.0.1:" + Ports.free(), "--seed", 7);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out())
        .contains("requests to http://127.0.0.1:", "2000 at most; seed 7")
        .contains("login (ip): 5 requests of a new caller pass, the next does not")
        .contains("trial: not enforcing, shadow: it counts, and denies nobody");
    assertThat(run.err()).isEqualTo("weir: nothing was sent (expected: yes, or --yes)\n");
  }

  @Test
  void gatewayThatIsDownLeavesEverythingUnproven() throws Exception {
    CommandRun run = doctor("http://127.0.0.1:" + Ports.free(), "--yes", "--only", "login");
    assertThat(run.out()).contains("Connection refused");
    assertThat(run.exit()).isIn(1, 5);
  }

  @Test
  void refusedRulesAreReported() throws Exception {
    Files.writeString(rules, "rules: [{name: a, limit: 0/second}]");
    CommandRun run = doctor("http://127.0.0.1:1", "--yes");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("rules.yaml:1:");
  }

  @Test
  void randomArgumentsNeverShowAStackTrace() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Object> words =
        List.of(
            "--store",
            "embedded",
            "http://127.0.0.1:1",
            "--rules",
            rules,
            "--only",
            "login",
            "--skip",
            "--json",
            "--path",
            "/",
            "=",
            "",
            "\u001b[2J",
            "--seed",
            "7",
            "--host",
            "--server",
            "127.0.0.1:1",
            "--shared",
            "--max-requests",
            "3",
            "--header",
            "A: b");
    for (int i = 0; i < 200; i++) {
      List<Object> line = new ArrayList<>(List.of("doctor"));
      random.ints(random.nextInt(8), 0, words.size()).forEach(one -> line.add(words.get(one)));
      CommandRun run = CommandRun.weir(line.toArray()).assertHarmless();
      assertThat(run.exit()).as("seed %d: %s", seed, line).isBetween(0, 2);
    }
  }
}

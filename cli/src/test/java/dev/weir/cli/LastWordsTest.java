package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server says after it was told to stop, here by SIGTERM, is there to be read. */
class LastWordsTest {
  private static final String GONE = " does not answer since ";
  private static final String IN_DEBT =
      "WARN  Stopped before the store heard all that was granted without it; callers of whom it"
          + " will not hear: 1, ";

  private final RedisServer redis = RedisServer.start();

  @TempDir private Path directory = Path.of("");

  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    String local = "rules: [{name: here, limit: 900/day, when-store-fails: local}]";
    rules = Files.writeString(directory.resolve("rules.yaml"), local);
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  /** With a deadline that a busy machine keeps. */
  private String url() {
    return redis.url() + "?deadline=2s";
  }

  private static void ask(Serving server) throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(server.check("/")).isEqualTo(200);
    }
  }

  @Test
  void whoIsStoppedDuringAnOutageSaysWhatIsStillOwed() throws Exception {
    try (Serving server = Serving.start(Map.of(), "--rules", rules, "--store", url()).ready()) {
      redis.kill();
      ask(server);
      server.awaitSaid(GONE);
      assertThat(server.stopped().err()).contains(IN_DEBT);
    }
  }

  @Test
  void whatHappensWhileItGoesOnAnsweringIsToldToo() throws Exception {
    try (Serving server = Serving.drainingUntilTold("--rules", rules, "--store", url()).ready()) {
      ask(server);
      assertThat(server.said()).doesNotContain(GONE, IN_DEBT);
      server.stop();
      server.awaitSaid("Draining for 3600 s");
      redis.kill();
      ask(server);
      server.awaitSaid(GONE);
      server.endDrain();
      assertThat(server.ran().err()).contains(GONE, IN_DEBT);
    }
  }
}

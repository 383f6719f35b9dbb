package dev.weir.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir top} on a server whose Redis goes and comes back. */
@Timeout(300)
class TopOutageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path directory = Path.of("");

  private static CommandRun await(ServerProcess server, String expected) throws Exception {
    long start = System.nanoTime();
    while (true) {
      CommandRun run =
          CommandRun.weir("top", "--once", "--server", server.adminUrl()).assertHarmless();
      if (run.out().contains(expected)) {
        return run;
      }
      assertThat(System.nanoTime() - start).as(run.toString()).isLessThan(PATIENCE.toNanos());
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Test
  void outageIsTheFirstThingThatThePageSays() throws Exception {
    String rules = "rules: [{name: all, limit: 1000/day, when-store-fails: deny}]";
    Path file = Files.writeString(directory.resolve("rules.yaml"), rules);
    try (RedisServer redis = RedisServer.start();
        ServerProcess server =
            ServerProcess.start(
                Map.of(), "--rules", file, "--store", redis.url() + "?deadline=1s")) {
      server.awaitReady();
      CommandRun well = await(server, "Weir decides every request.");
      assertThat(well.exit()).isZero();
      assertThat(well.out())
          .contains("store redis 127.0.0.1:" + redis.port(), "breaker closed", "servers 1");
      redis.kill();
      server.check("/");
      CommandRun away = await(server, "✗ The store does not answer, and requests are denied.");
      assertThat(away.exit()).isEqualTo(1);
      assertThat(away.out().replaceAll("\\s+", " "))
          .contains("By failure mode: 1 rule denies everything.", " no answer ", "mode degraded");
      await(server, " store error ");
      redis.restart();
      CommandRun again = await(server, "The store answers again");
      assertThat(again.exit()).isZero();
      assertThat(again.out()).contains("Weir decides every request.");
    }
  }
}

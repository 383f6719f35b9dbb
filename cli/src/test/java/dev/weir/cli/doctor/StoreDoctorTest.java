package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.testkit.Ports;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir doctor --store} on real stores. */
class StoreDoctorTest {
  @TempDir private Path directory = Path.of("");

  private static CommandRun doctor(Object store) {
    return CommandRun.weir("doctor", "--store", store, "--json", "--skip", "store-round-trip")
        .assertHarmless();
  }

  @Test
  void embeddedStoreKeepsTheContract() throws Exception {
    CommandRun run = doctor("embedded");
    assertThat(Clinic.faults(run)).as(run.out()).isEmpty();
    assertThat(Clinic.findings(run, "ok")).containsExactly("store-contract: embedded");
    assertThat(run.exit()).isZero();
  }

  @Test
  void realRedisKeepsTheContractAndHasNoKeyLeft() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      CommandRun run = doctor(redis.url());
      assertThat(Clinic.faults(run)).as(run.out()).isEmpty();
      assertThat(Clinic.findings(run, "ok"))
          .anyMatch(found -> found.startsWith("store-contract: "))
          .anyMatch(found -> found.startsWith("store-settings: "))
          .anyMatch(found -> found.startsWith("store-clock: "));
      assertThat(run.out()).contains("policy noeviction");
      assertThat(redis.number("DBSIZE")).isZero();
    }
  }

  @Test
  void clusterKeepsTheContract() throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      cluster.awaitOk();
      String url = "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port();
      CommandRun run = doctor(url);
      assertThat(Clinic.faults(run)).as(run.out()).isEmpty();
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void evictionOfAnyKeyIsAFault() throws Exception {
    try (RedisServer redis = RedisServer.start("maxmemory 100mb", "maxmemory-policy allkeys-lru")) {
      CommandRun run = doctor(redis.url());
      assertThat(Clinic.faults(run)).hasSize(1).allMatch(f -> f.startsWith("store-settings: "));
      assertThat(run.out()).contains("it evicts any key");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void missingPermissionIsNamed() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.command("ACL", "SETUSER", "ann", "on", ">s3cret", "~*", "+@all", "-@scripting");
      CommandRun run = doctor("redis://ann:s3cret@127.0.0.1:" + redis.port());
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains("NOPERM").doesNotContain("s3cret").hasLineCount(1);
      redis.command("ACL", "SETUSER", "bob", "on", ">s3cret", "~*", "+@all", "-info");
      CommandRun withoutInfo = doctor("redis://bob:s3cret@127.0.0.1:" + redis.port());
      assertThat(Clinic.faults(withoutInfo)).as(withoutInfo.out()).isEmpty();
      assertThat(withoutInfo.out()).contains("may not call INFO");
    }
  }

  @Test
  void replicaIsRefused() throws Exception {
    try (RedisServer master = RedisServer.start();
        RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + master.port())) {
      CommandRun run = doctor(replica.url());
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).containsIgnoringCase("replica");
    }
  }

  @Test
  void unusableUrlsAreRefused() throws Exception {
    assertThat(doctor("redis://127.0.0.1:" + Ports.free()).exit()).isEqualTo(2);
    for (String url :
        new String[] {"", "no store", "redis:", "redis://", "http://x", "redis://a:b:c"}) {
      CommandRun run = doctor(url);
      assertThat(run.exit()).as(url).isEqualTo(2);
      assertThat(run.err()).as(url).contains("--store");
    }
    Path file = Files.writeString(directory.resolve("store"), "embedded\n");
    assertThat(CommandRun.weir("doctor", "--store-file", file).exit()).isZero();
    CommandRun both =
        CommandRun.in(Map.of(), false, "doctor", "http://127.0.0.1:1", "--store", "embedded");
    assertThat(both.err()).contains("URL: http://127.0.0.1:1 (expected: none beside --store)");
  }
}

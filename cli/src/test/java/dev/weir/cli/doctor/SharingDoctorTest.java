package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether servers share counters, asked at their administration ports. */
class SharingDoctorTest {
  @TempDir private Path directory = Path.of("");

  private CommandRun doctor(Clinic clinic, int port, String one, String two) throws Exception {
    TestGateway gateway =
        clinic.with(
            TestGateway.nginx(
                directory, port, clinic.appPort(), recipe -> Recipes.nginx(recipe, Clinic.RULES)));
    return clinic.doctor(gateway, "--server", one, "--server", two, "--only", "login");
  }

  @Test
  void serversThatCountEachForItselfAreFound() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      LocalServer one = clinic.server();
      CommandRun run = doctor(clinic, one.server().port(), one.admin(), clinic.server().admin());
      assertThat(Clinic.faults(run))
          .as(run.out())
          .containsExactly("servers-share-counters: servers");
    }
  }

  @Test
  void serversOnOneRedisShare() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      Object[] flags = {"--rules", clinic.rules, "--store", redis.url()};
      try (ServerProcess one = ServerProcess.onPort(0, flags);
          ServerProcess two = ServerProcess.onPort(0, flags)) {
        one.awaitReady();
        two.awaitReady();
        CommandRun run = doctor(clinic, one.port(), one.adminUrl(), two.adminUrl());
        assertThat(Clinic.faults(run)).as(run.out()).isEmpty();
        assertThat(Clinic.findings(run, "ok")).contains("servers-share-counters: servers");
      }
    }
  }

  private static final String MODES =
      """
      trusted-proxies: [127.0.0.1/32]
      rules:
        - {name: denies, match: {path: /denies}, per: ip, limit: 3/hour, when-store-fails: deny}
        - {name: allows, match: {path: /allows}, per: ip, limit: 3/hour, when-store-fails: allow}
        - {name: counts, match: {path: /counts}, per: ip, limit: 3/hour}
      """;

  private CommandRun doctorWithoutStore(Clinic clinic, RedisServer redis) throws Exception {
    try (ServerProcess server =
        ServerProcess.onPort(0, "--rules", clinic.rules, "--store", redis.url())) {
      server.awaitReady();
      String pid = redis.info("server", "process_id");
      TestGateway gateway =
          clinic.with(
              TestGateway.nginx(
                  directory,
                  server.port(),
                  clinic.appPort(),
                  recipe -> Recipes.nginx(recipe, MODES)));
      return clinic.doctor(
          gateway, "--stop-store", "kill -STOP " + pid, "--start-store", "kill -CONT " + pid);
    }
  }

  @Test
  void rulesThatDoWhatTheySayWithoutTheStoreAreFine() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Clinic clinic = new Clinic(directory, MODES)) {
      CommandRun run = doctorWithoutStore(clinic, redis);
      assertThat(Clinic.faults(run)).as(run.out()).isEmpty();
      assertThat(Clinic.findings(run, "ok"))
          .contains(
              "store-failure: allows (ip)",
              "store-failure: counts (ip)",
              "store-failure: denies (ip)");
      assertThat(redis.text("PING")).isEqualTo("PONG");
    }
  }
}

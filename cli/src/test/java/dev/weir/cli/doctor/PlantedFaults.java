package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import dev.weir.testkit.Ports;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults behind a real gateway, each of which the doctor finds, and no other. */
abstract class PlantedFaults {
  @TempDir Path directory = Path.of("");

  /** Starts the gateway with the recipe of the docs for {@link Clinic#RULES}, up to a change. */
  abstract TestGateway start(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws Exception;

  abstract String withoutBetaHeader(String recipe);

  abstract String unlimited(String recipe, String path);

  abstract String failingOpen(String recipe);

  abstract String withoutResponseHeaders(String recipe);

  abstract String passingOnTrustedHeaders(String recipe);

  abstract String callingAlso(String recipe, int port);

  /** What the doctor says about a gateway with a change, without asking the server. */
  final CommandRun examined(Clinic clinic, UnaryOperator<String> edit) throws Exception {
    LocalServer server = clinic.server();
    return clinic.doctor(gateway(clinic, server, edit));
  }

  private TestGateway gateway(Clinic clinic, LocalServer server, UnaryOperator<String> edit)
      throws Exception {
    return clinic.with(start(directory, server.server().port(), clinic.appPort(), edit));
  }

  @Test
  void findsNothingWhereNothingIsWrong() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      LocalServer server = clinic.server();
      TestGateway gateway = gateway(clinic, server, recipe -> recipe);
      CommandRun run = clinic.doctor(gateway, "--server", server.admin());
      assertThat(Clinic.faults(run)).as(run.out()).isEmpty();
      assertThat(Clinic.findings(run, "ok"))
          .contains(
              "admits-its-limit: login (ip)",
              "denies-the-next: login (ip)",
              "headers-arrive: login (ip)",
              "forwarded-address: login (ip)",
              "forged-address: login (ip)",
              "forged-request: login (ip)",
              "path-spellings: login (ip)",
              "path-limited: search (ip)",
              "forged-header: search (ip)",
              "callers-apart: beta (header x-api-key)",
              "forged-header: plan (ip)",
              "denies-the-next: gone (everybody together)",
              "limiter-answers: " + server.admin().substring(7));
      assertThat(Clinic.findings(run, "not proven"))
          .containsExactly(
              "denies-the-next: site (everybody together)", "servers-share-counters: servers");
      assertThat(Clinic.findings(run, "not enforcing")).containsExactly("rule-matches: trial");
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void findsARuleThatNeverMatches() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      CommandRun run = examined(clinic, this::withoutBetaHeader);
      assertThat(Clinic.faults(run))
          .as(run.out())
          .containsExactly("rule-matches: beta (header x-api-key)");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void findsAPathThatIsNotLimited() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      CommandRun run = examined(clinic, recipe -> unlimited(recipe, "/export"));
      assertThat(Clinic.faults(run)).as(run.out()).containsExactly("path-limited: search (ip)");
    }
  }

  @Test
  void findsARuleWhoseOnlyPathIsNotLimited() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      LocalServer server = clinic.server();
      TestGateway gateway = gateway(clinic, server, recipe -> unlimited(recipe, "/login"));
      CommandRun run = clinic.doctor(gateway, "--server", server.admin());
      assertThat(Clinic.faults(run)).as(run.out()).containsExactly("path-limited: login (ip)");
    }
  }

  @Test
  void findsThatRequestsPassWhileTheServerIsDead() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      int dead = Ports.free();
      TestGateway gateway =
          clinic.with(start(directory, dead, clinic.appPort(), this::failingOpen));
      CommandRun run = clinic.doctor(gateway);
      assertThat(Clinic.faults(run)).as(run.out()).contains("limiter-answers: gateway");
      assertThat(run.out()).contains("fails open");
      CommandRun asked = clinic.doctor(gateway, "--server", "http://127.0.0.1:" + dead);
      assertThat(Clinic.faults(asked))
          .contains("limiter-answers: gateway", "limiter-answers: 127.0.0.1:" + dead);
      assertThat(asked.exit()).isEqualTo(1);
    }
  }

  @Test
  void findsThatHeadersAreStripped() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      CommandRun run = examined(clinic, this::withoutResponseHeaders);
      assertThat(Clinic.faults(run))
          .as(run.out())
          .containsExactly(
              "headers-arrive: beta (header x-api-key)",
              "headers-arrive: login (ip)",
              "headers-arrive: plan (ip)",
              "headers-arrive: search (ip)");
    }
  }

  @Test
  void findsThatTheForwardedAddressIsNotTrusted() throws Exception {
    String rules = Clinic.RULES.replace("127.0.0.1/32", "192.0.2.1/32");
    try (Clinic clinic = new Clinic(directory, rules)) {
      CommandRun run = examined(clinic, recipe -> recipe);
      assertThat(Clinic.faults(run))
          .as(run.out())
          .containsExactly(
              "forwarded-address: login (ip)",
              "forwarded-address: plan (ip)",
              "forwarded-address: search (ip)");
    }
  }

  @Test
  void findsThatAClientSendsTrustedHeaders() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      CommandRun run = examined(clinic, this::passingOnTrustedHeaders);
      assertThat(Clinic.faults(run))
          .as(run.out())
          .containsExactly("forged-header: plan (ip)", "forged-header: search (ip)");
    }
  }

  @Test
  void findsThatServersBehindTheGatewayCountEachForItself() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      LocalServer other = clinic.server();
      CommandRun run = examined(clinic, recipe -> callingAlso(recipe, other.server().port()));
      assertThat(Clinic.faults(run))
          .as(run.out())
          .contains("servers-share-counters: login (ip)", "servers-share-counters: search (ip)");
      assertThat(run.exit()).isEqualTo(1);
    }
  }
}

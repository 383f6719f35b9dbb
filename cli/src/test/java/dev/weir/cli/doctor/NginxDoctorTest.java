package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The doctor finds what is wrong behind a real NGINX. */
class NginxDoctorTest extends PlantedFaults {
  @Override
  TestGateway start(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws Exception {
    return TestGateway.nginx(
        directory, weir, app, recipe -> edit.apply(Recipes.nginx(recipe, Clinic.RULES)));
  }

  @Override
  String withoutBetaHeader(String recipe) {
    return recipe.replace(
        "proxy_pass_request_body off;",
        "proxy_set_header X-Beta \"\"; proxy_pass_request_body off;");
  }

  @Override
  String unlimited(String recipe, String path) {
    String location = "location = " + path + " { proxy_pass http://127.0.0.1:9000; }\n  ";
    return recipe.replaceFirst("location / \\{", location + "location / {");
  }

  @Override
  String failingOpen(String recipe) {
    return recipe;
  }

  @Override
  String withoutResponseHeaders(String recipe) {
    return recipe.replaceAll(" *add_header R[^\n]*\n", "");
  }

  @Override
  String passingOnTrustedHeaders(String recipe) {
    return recipe.replaceAll("proxy_set_header X-(Plan|User) \"\";", "");
  }

  @Override
  String callingAlso(String recipe, int port) {
    return recipe.replace(
        "server 127.0.0.1:8080;", "server 127.0.0.1:8080; server 127.0.0.1:" + port + ";");
  }

  /** Passes on what the client sent, where it sent anything. */
  private static String passingOn(String recipe, String header, String own) {
    String name = "$weir_" + own.substring(1);
    String client = "$http_" + header.toLowerCase(Locale.ROOT).replace('-', '_');
    String map = "map " + client + " " + name + " { '' " + own + "; default " + client + "; }\n";
    return recipe
        .replace(header + " " + own, header + " " + name)
        .replace("upstream weir {", map + "upstream weir {");
  }

  @Test
  void findsThatAClientChoosesItsAddress() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      CommandRun run =
          examined(clinic, recipe -> passingOn(recipe, "X-Forwarded-For", "$remote_addr"));
      assertThat(Clinic.faults(run))
          .containsExactly(
              "forged-address: login (ip)",
              "forged-address: plan (ip)",
              "forged-address: search (ip)");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void findsThatAClientChoosesThePathThatIsLimited() throws Exception {
    try (Clinic clinic = new Clinic(directory, Clinic.RULES)) {
      CommandRun run =
          examined(clinic, recipe -> passingOn(recipe, "X-Forwarded-Uri", "$request_uri"));
      assertThat(Clinic.faults(run))
          .contains("forged-request: login (ip)", "forged-request: search (ip)")
          .allMatch(fault -> fault.startsWith("forged-request: "));
    }
  }
}

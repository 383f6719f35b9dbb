package dev.weir.cli.doctor;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** The doctor finds what is wrong behind a real Envoy. */
class EnvoyDoctorTest extends PlantedFaults {
  @Override
  TestGateway start(Path directory, int weir, int app, UnaryOperator<String> edit)
      throws Exception {
    return TestGateway.envoy(
        directory, weir, app, recipe -> edit.apply(Recipes.envoy(recipe, Clinic.RULES)));
  }

  @Override
  String withoutBetaHeader(String recipe) {
    return recipe.replaceAll(" *- \\{exact: \"x-beta\"[^\n]*\n", "");
  }

  @Override
  String unlimited(String recipe, String path) {
    String route =
        """
        - match: {path: %s}
                                  route: {cluster: app}
                                  typed_per_filter_config:
                                    envoy.filters.http.ext_authz:
                                      "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute
                                      disabled: true
                                - match: {prefix: /}
        """
            .formatted(path);
    return recipe.replace("- match: {prefix: /}\n", route);
  }

  @Override
  String failingOpen(String recipe) {
    return recipe.replace(
        "status_on_error: {code: ServiceUnavailable}", "failure_mode_allow: true");
  }

  @Override
  String withoutResponseHeaders(String recipe) {
    return recipe.replaceAll("prefix: \"(x-)?ratelimit-?\"", "exact: \"x-nothing\"");
  }

  @Override
  String passingOnTrustedHeaders(String recipe) {
    return recipe
        .replaceAll(" *- remove: x-(plan|user)\n", "")
        .replace("request_mutations:", "request_mutations: []");
  }

  @Override
  String callingAlso(String recipe, int port) {
    String endpoint = "- endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: ";
    return recipe.replace(
        endpoint + "8080}}}", endpoint + "8080}}}\n              " + endpoint + port + "}}}");
  }
}

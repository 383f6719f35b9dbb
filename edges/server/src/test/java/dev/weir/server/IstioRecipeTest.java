package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The Istio recipe configures the same filter as the tested Envoy recipe. */
class IstioRecipeTest {
  @Test
  void filterAndRequestMatchTheEnvoyRecipe() throws IOException {
    Object istio = yaml("kind: EnvoyFilter");
    Object connections =
        at(
            yaml("static_resources:"),
            "static_resources.listeners.0.filter_chains.0.filters.0.typed_config");
    Map<String, Object> tried = map(at(connections, "http_filters.0.typed_config"));
    Map<String, Object> given = map(at(istio, "spec.configPatches.0.patch.value.typed_config"));
    // Only the name of the cluster differs.
    String grpc = "rate_limit_service.grpc_service.envoy_grpc";
    assertThat(map(at(given, grpc)))
        .containsEntry("cluster_name", "outbound|8081||weir.weir.svc.cluster.local")
        .containsEntry("authority", "weir.weir.svc.cluster.local");
    map(at(given, grpc)).clear();
    map(at(tried, grpc)).clear();
    assertThat(given).isEqualTo(tried);
    assertThat(at(istio, "spec.configPatches.1.patch.value.rate_limits"))
        .isEqualTo(at(connections, "route_config.virtual_hosts.0.routes.0.route.rate_limits"));
  }

  private static Object yaml(String with) throws IOException {
    return new Load(LoadSettings.builder().build())
        .loadFromString(Gateway.block("envoy.md", "yaml", with));
  }

  /** The value at a path of names and indexes. */
  private static Object at(Object from, String path) {
    Object found = from;
    for (String step : path.split("\\.", -1)) {
      found =
          found instanceof List<?> list
              ? list.get(Integer.parseInt(step))
              : java.util.Objects.requireNonNull(map(found).get(step), path);
    }
    return found;
  }

  @SuppressWarnings("unchecked") // YAML that we wrote
  private static Map<String, Object> map(Object yaml) {
    return (Map<String, Object>) yaml;
  }
}

package dev.weir.load.traffic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a mix from YAML. Every error names the file, the line and what was expected. */
public final class MixFile {
  private static final List<String> ROOT_KEYS = List.of("requests", "callers");
  private static final List<String> CALLER_KEYS = List.of("count", "header");
  private static final List<String> REQUEST_KEYS =
      List.of("weight", "method", "path", "headers", "body");

  private final YamlNodes yaml;

  private MixFile(String file) {
    this.yaml = new YamlNodes(file);
  }

  /**
   * Reads a mix.
   *
   * @param file the name for error messages
   * @throws IllegalArgumentException if the text is not a mix
   */
  public static Mix read(String file, String text) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).build();
      Node root =
          new Compose(settings)
              .composeString(text)
              .orElseThrow(() -> new IllegalArgumentException(file + ": empty (expected: a mix)"));
      return new MixFile(file).mix(root);
    } catch (YamlEngineException e) {
      String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException(file + ": " + problem + " (expected: YAML)", e);
    }
  }

  private Mix mix(Node root) {
    MappingNode map = yaml.mapping("mix", root, ROOT_KEYS);
    Node requests = yaml.value(map, "requests");
    if (requests == null) {
      throw yaml.invalid(root, "requests", "absent", "a list of requests");
    }
    List<RequestSpec> specs = new ArrayList<>();
    for (Node request : yaml.sequence("requests", requests)) {
      specs.add(request(request));
    }
    if (specs.isEmpty()) {
      throw yaml.invalid(requests, "requests", "none", "at least one");
    }
    return new Mix(specs, callers(yaml.value(map, "callers")));
  }

  private Callers callers(@Nullable Node node) {
    if (node == null) {
      return Callers.ONE;
    }
    MappingNode map = yaml.mapping("callers", node, CALLER_KEYS);
    int count = yaml.integer(map, "count", 1, Callers.MAX_COUNT);
    Node header = yaml.value(map, "header");
    return new Callers(count, header == null ? null : yaml.text("header", header));
  }

  private RequestSpec request(Node node) {
    MappingNode map = yaml.mapping("request", node, REQUEST_KEYS);
    Map<String, String> headers = new LinkedHashMap<>();
    Node given = yaml.value(map, "headers");
    if (given != null) {
      yaml.mapping("headers", given)
          .getValue()
          .forEach(
              entry -> {
                String name = yaml.text("header", entry.getKeyNode());
                headers.put(name, yaml.text(name, entry.getValueNode()));
              });
    }
    try {
      return new RequestSpec(
          yaml.integer(map, "weight", 1, 1_000_000),
          yaml.text(map, "method", "GET"),
          yaml.text(map, "path", "/"),
          headers,
          yaml.text(map, "body", ""));
    } catch (IllegalArgumentException e) {
      throw yaml.located(node, e);
    }
  }
}

package dev.weir.cli.doctor;

import dev.weir.key.KeySpace;
import dev.weir.rules.GatewayHeaders;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** Inserts into the recipes what {@code weir validate --gateway-headers} prints. */
final class Recipes {
  private Recipes() {}

  private static List<String> lines(String rules, GatewayHeaders.Gateway gateway) {
    try {
      KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
      return GatewayHeaders.of(
              new RulesLoader(keys, Map.of()).load(List.of(RulesText.of("rules.yaml", rules))))
          .lines(gateway)
          .stream()
          .filter(line -> !line.startsWith("#"))
          .toList();
    } catch (RulesRejected e) {
      throw new IllegalArgumentException(e);
    }
  }

  static String nginx(String recipe, String rules) {
    String printed = String.join("\n", lines(rules, GatewayHeaders.Gateway.NGINX));
    return recipe.replaceFirst(
        " *proxy_pass \"http://weir[^\n]*", Matcher.quoteReplacement(printed));
  }

  static String envoy(String recipe, String rules) {
    List<String> printed = lines(rules, GatewayHeaders.Gateway.ENVOY);
    int prefix = 0;
    while (!printed.get(prefix).startsWith("path_prefix")) {
      prefix++;
    }
    String calling = " ".repeat(18) + "- name: envoy.filters.http.ext_authz";
    return recipe
        .replace(calling, indented(printed.subList(0, prefix), 18) + calling)
        .replaceFirst(" *path_prefix:[^\n]*\n", indented(printed.subList(prefix, prefix + 1), 24))
        .replaceFirst(
            " *allowed_headers:\n *patterns:\n *- [^\n]*\n",
            Matcher.quoteReplacement(indented(printed.subList(prefix + 1, printed.size()), 22)));
  }

  private static String indented(List<String> lines, int columns) {
    return lines.stream()
        .map(line -> " ".repeat(columns) + line + "\n")
        .collect(Collectors.joining());
  }
}

package dev.weir.server;

import dev.weir.key.KeySpace;
import dev.weir.rules.GatewayHeaders;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.RulesText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** Recipes with the lines that {@code weir validate --gateway-headers} prints. */
final class GatewayHeaderRecipes {
  private final GatewayHeaders headers;

  GatewayHeaderRecipes(String rules) {
    try {
      KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
      headers =
          GatewayHeaders.of(
              new RulesLoader(keys, Map.of()).load(List.of(RulesText.of("rules.yaml", rules))));
    } catch (RulesRejected e) {
      throw new IllegalArgumentException(e);
    }
  }

  List<String> haproxy() {
    return headers.lines(GatewayHeaders.Gateway.HAPROXY);
  }

  String inNginx(String recipe) {
    List<String> printed = headers.lines(GatewayHeaders.Gateway.NGINX);
    return placed(
        recipe, printed, "# In location", "upstream weir", " *proxy_pass \"http://weir.*");
  }

  String inCaddy(String recipe) {
    List<String> printed = headers.lines(GatewayHeaders.Gateway.CADDY);
    return placed(recipe, printed, "# In forward_auth", "  forward_auth", " *uri /v1/check.*");
  }

  /**
   * Inserts the lines before the comment, if any, before a line of the recipe, and replaces another
   * line by those after it.
   */
  private static String placed(
      String recipe, List<String> printed, String comment, String before, String inPlaceOf) {
    int second = 0;
    while (!printed.get(second).startsWith(comment)) {
      second++;
    }
    String rest = String.join("\n", printed.subList(second, printed.size()));
    return recipe
        .replace(before, indented(printed.subList(0, second), 2) + before)
        .replaceFirst(inPlaceOf, Matcher.quoteReplacement(rest));
  }

  /** Inserts the filter before the one that calls Weir, and replaces two of its settings. */
  String inEnvoy(String recipe) {
    List<String> printed =
        headers.lines(GatewayHeaders.Gateway.ENVOY).stream()
            .filter(line -> !line.startsWith("#"))
            .toList();
    int prefix = indexOf(printed, "path_prefix:");
    List<String> filter = printed.subList(0, prefix);
    List<String> allowed = printed.subList(prefix + 1, printed.size());
    String asking = " ".repeat(18) + "- name: envoy.filters.http.ext_authz";
    return recipe
        .replace(asking, indented(filter, 18) + asking)
        .replaceFirst(" *path_prefix:[^\n]*\n", indented(printed.subList(prefix, prefix + 1), 24))
        .replaceFirst(
            " *allowed_headers:\n *patterns:\n *- [^\n]*\n",
            Matcher.quoteReplacement(indented(allowed, 22)));
  }

  private static int indexOf(List<String> lines, String start) {
    List<String> starts = new ArrayList<>(lines);
    starts.replaceAll(line -> line.startsWith(start) ? start : line);
    return starts.indexOf(start);
  }

  private static String indented(List<String> lines, int columns) {
    return lines.stream()
        .map(line -> " ".repeat(columns) + line + "\n")
        .collect(Collectors.joining());
  }
}

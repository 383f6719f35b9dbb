package dev.weir.server;

import dev.weir.key.KeySpace;
import dev.weir.yaml.GatewayHeaders;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import dev.weir.yaml.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** Recipes with the lines in them that {@code weir validate --gateway-headers} prints. */
final class PrintedLines {
  private final GatewayHeaders headers;

  PrintedLines(String rules) {
    try {
      KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
      headers =
          GatewayHeaders.of(
              new RulesLoader(keys, Map.of()).load(List.of(Source.of("rules.yaml", rules))));
    } catch (RulesRefused e) {
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
   * What comes first, if anything, goes before a line of the recipe; what follows the comment, in
   * place of another.
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

  /** The filter goes before the one that asks; two settings take the place of those it has. */
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

package dev.weir.rules.gateway.syntax;

import dev.weir.http.identity.HttpReader;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.gateway.Route;
import dev.weir.rules.syntax.MatchSyntax;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the routes of all files. Not thread-safe. */
final class RouteSyntax {
  static final Set<String> KEYS = Set.of("match", "upstream");

  private final MatchSyntax matches;
  private final Optional<Set<String>> upstreams;
  private final Problems problems;
  private final List<ParsedMatch> parsed = new ArrayList<>();
  private final List<Route> routes = new ArrayList<>();

  /**
   * A reader for one version of the rules.
   *
   * @param upstreams the names that routes may lead to; empty if not all are known
   */
  RouteSyntax(MatchSyntax matches, Optional<Set<String>> upstreams, Problems problems) {
    this.matches = matches;
    this.upstreams = upstreams;
    this.problems = problems;
  }

  /** The conditions of all routes so far, also of invalid ones. */
  List<ParsedMatch> parsed() {
    return parsed;
  }

  /** The valid routes so far. */
  List<Route> routes() {
    return routes;
  }

  /** Reads the routes of a file. */
  void read(Section file) {
    YamlNode node = file.node("routes");
    if (node == null) {
      return;
    }
    if (!(node instanceof YamlNode.Items items)) {
      String expected = "a list, such as [{match: {path: /orders/**}, upstream: orders}]";
      problems.error(node.location(), "routes", node.kind(), expected);
      return;
    }
    int count = parsed.size() + items.items().size();
    if (count > GatewaySettings.MAX_ROUTES) {
      String expected = "at most " + GatewaySettings.MAX_ROUTES;
      problems.error(node.location(), "routes", count + " routes", expected);
      return;
    }
    items.items().forEach(this::readRoute);
  }

  private void readRoute(YamlNode node) {
    long errors = problems.errors();
    Section section = Section.of(node, "route", KEYS, RuleSyntax.MISPLACED_KEYS, problems);
    if (section.lacks("upstream")) {
      problems.error(node.location(), "upstream", "nothing", "the name of an upstream");
    }
    Optional<YamlNode.Text> upstream = section.text("upstream");
    upstream.ifPresent(this::checkUpstream);
    YamlNode match = section.node("match");
    List<Condition> conditions = match == null ? List.of() : matches.read(match);
    for (Condition condition : conditions) {
      if (isUnknownToRoutes(condition.name())) {
        String expected = "host, path, method, header, trusted-header, cookie or ip";
        problems.error(section.location("match"), "match", condition.name(), expected);
      }
    }
    boolean sound = problems.errors() == errors;
    parsed.add(new ParsedMatch(conditions, section, sound));
    if (sound && upstream.isPresent()) {
      routes.add(new Route(conditions, upstream.get().value()));
    }
  }

  /**
   * Tokens are verified after a route is found, only Envoy's clients send domains, and only
   * applications know principals.
   */
  private static boolean isUnknownToRoutes(String name) {
    return name.startsWith("jwt ")
        || name.startsWith("entry ")
        || name.equals("domain")
        || name.equals(HttpReader.PRINCIPAL);
  }

  private void checkUpstream(YamlNode.Text written) {
    if (upstreams.isPresent() && !upstreams.get().contains(written.value())) {
      String expected =
          upstreams.get().isEmpty()
              ? "the name of an upstream, which upstreams defines"
              : Spelling.expected(written.value(), upstreams.get());
      problems.error(written.location(), "upstream", written.value(), expected);
    }
  }
}

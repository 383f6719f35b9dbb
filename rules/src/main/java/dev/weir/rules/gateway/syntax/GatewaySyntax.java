package dev.weir.rules.gateway.syntax;

import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.gateway.Route;
import dev.weir.rules.gateway.SheddingSettings;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.rules.lint.ConditionLint;
import dev.weir.rules.syntax.MatchSyntax;
import dev.weir.rules.syntax.SettingsSyntax;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.RulesText;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code upstreams}, {@code routes} and {@code shedding} of several files as if they were
 * one. Not thread-safe.
 */
public final class GatewaySyntax {
  /** The keys of a rules file that are read here. */
  public static final Set<String> KEYS = Set.of("upstreams", "routes", "shedding");

  private final MatchSyntax matches;
  private final ConditionLint conditions;
  private final Problems problems;

  /** The upstreams by name, also invalid ones, and where their names are. */
  private final Map<String, SourceLocation> names = new LinkedHashMap<>();

  private final List<UpstreamSettings> upstreams = new ArrayList<>();

  /** A reader for one version of the rules. */
  public GatewaySyntax(MatchSyntax matches, ConditionLint conditions, Problems problems) {
    this.matches = matches;
    this.conditions = conditions;
    this.problems = problems;
  }

  /** Whether a file has any of these keys. */
  public static boolean isConfiguredIn(Section file) {
    return KEYS.stream().anyMatch(key -> !file.lacks(key));
  }

  /**
   * Reads the settings, and warns of what has no effect.
   *
   * @param texts of the files, which say what relative paths refer to
   * @param incomplete whether other files could not be read, which may define what is missing here
   */
  public GatewaySettings read(List<Section> files, List<RulesText> texts, boolean incomplete) {
    if (files.stream().noneMatch(GatewaySyntax::isConfiguredIn)) {
      return GatewaySettings.NONE;
    }
    SettingsSyntax.refuseSecond(files, Set.of("shedding"), problems);
    boolean known = !incomplete;
    for (int i = 0; i < files.size(); i++) {
      YamlNode node = files.get(i).node("upstreams");
      known &= node != null || files.get(i).lacks("upstreams");
      if (node != null) {
        readUpstreams(node, new UpstreamSyntax(texts.get(i).directory(), problems));
      }
    }
    GatewayLint lint = new GatewayLint(conditions, problems);
    RouteSyntax syntax =
        new RouteSyntax(matches, known ? Optional.of(names.keySet()) : Optional.empty(), problems);
    files.forEach(syntax::read);
    lint.checkRoutes(syntax.parsed());
    List<Route> routes = syntax.routes();
    if (files.stream().allMatch(file -> file.lacks("routes")) && known) {
      routes = defaultRoutes();
    } else {
      lint.checkUse(names, routes, syntax.parsed());
    }
    return new GatewaySettings(upstreams, routes, readShedding(files, lint));
  }

  private void readUpstreams(YamlNode node, UpstreamSyntax syntax) {
    Section section = Section.open(node, "upstreams", problems);
    for (YamlNode.Field field : section.fields()) {
      String name = field.key().value();
      SourceLocation first = names.putIfAbsent(name, field.key().location());
      if (first != null) {
        String expected = "each name once; the first is at " + first;
        problems.error(field.key().location(), "upstreams", name, expected);
      } else if (names.size() == GatewaySettings.MAX_UPSTREAMS + 1) {
        String expected = "at most " + GatewaySettings.MAX_UPSTREAMS;
        problems.error(field.key().location(), "upstreams", "more", expected);
      } else if (names.size() <= GatewaySettings.MAX_UPSTREAMS) {
        syntax.read(field).ifPresent(upstreams::add);
      }
    }
  }

  /** With one upstream there is no doubt where requests go. */
  private List<Route> defaultRoutes() {
    if (names.size() > 1) {
      SourceLocation second = names.values().stream().skip(1).findFirst().orElseThrow();
      String expected = "routes, which say what goes to which upstream";
      problems.error(second, "upstreams", "several without routes", expected);
    }
    return names.size() == 1
        ? List.of(new Route(List.of(), names.keySet().iterator().next()))
        : List.of();
  }

  private Optional<SheddingSettings> readShedding(List<Section> files, GatewayLint lint) {
    for (Section file : files) {
      YamlNode node = file.node("shedding");
      if (node != null) {
        SheddingSyntax syntax = new SheddingSyntax(matches, problems);
        Optional<SheddingSettings> read = syntax.read(node);
        lint.checkPriorities(syntax.parsed(), syntax.priorities());
        return read;
      }
    }
    return Optional.empty();
  }
}

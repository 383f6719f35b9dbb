package dev.weir.rules.syntax;

import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Network;
import dev.weir.http.identity.HttpSettings;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the settings for requests: proxies, prefixes, paths, tokens. Not thread-safe. */
public final class SettingsSyntax {
  /** The keys of settings. */
  public static final Set<String> KEYS =
      Set.of(
          "trusted-proxies", "trusted-hops", "forwarded-header", "ip-prefix", "path-case", "jwt");

  private static final Map<String, ForwardedHeader> FORWARDED_HEADERS =
      Map.of(
          "X-Forwarded-For", ForwardedHeader.X_FORWARDED_FOR,
          "Forwarded", ForwardedHeader.FORWARDED);

  static final Set<String> PREFIX_KEYS = Set.of("v4", "v6");

  private final Problems problems;

  /** A reader that adds its errors to {@code problems}. */
  public SettingsSyntax(Problems problems) {
    this.problems = problems;
  }

  /** The settings with those of this file added. */
  public HttpSettings read(Section file, HttpSettings before, JwtSyntax tokens) {
    HttpSettings settings = before;
    var hops = file.number("trusted-hops", 1, 32);
    List<Network> proxies = readProxies(file);
    boolean both =
        (hops.isPresent() && !(proxies.isEmpty() && settings.trustedProxies().isEmpty()))
            || (!proxies.isEmpty() && settings.trustedHops() > 0);
    if (both) {
      String second = hops.isPresent() ? "trusted-hops" : "trusted-proxies";
      String expected = "either trusted-hops or trusted-proxies";
      problems.error(file.location(second), second, "both", expected);
    } else if (hops.isPresent()) {
      settings = settings.withTrustedHops((int) hops.getAsLong());
    } else if (!proxies.isEmpty()) {
      settings = settings.withTrustedProxies(proxies);
    }
    settings =
        settings.withForwardedHeader(
            file.choice("forwarded-header", FORWARDED_HEADERS).orElse(settings.forwardedHeader()));
    settings =
        settings.withPathCaseSensitive(
            file.choice("path-case", Map.of("sensitive", true, "insensitive", false))
                .orElse(settings.pathCaseSensitive()));
    settings = readPrefixes(file, settings);
    YamlNode jwt = file.node("jwt");
    return jwt == null ? settings : settings.withJwt(tokens.read(jwt).orElse(null));
  }

  private List<Network> readProxies(Section file) {
    TrustLint trust = new TrustLint(problems);
    List<Network> proxies = new ArrayList<>();
    for (YamlNode.Text text : file.texts("trusted-proxies")) {
      Section.parse(text, "trusted-proxies", Network::parse, problems)
          .ifPresent(
              network -> {
                trust.checkWidth(text, network);
                proxies.add(network);
              });
    }
    return proxies;
  }

  private HttpSettings readPrefixes(Section file, HttpSettings settings) {
    YamlNode node = file.node("ip-prefix");
    if (node == null) {
      return settings;
    }
    Section prefix = Section.of(node, "ip-prefix", PREFIX_KEYS, problems);
    int v4 = (int) prefix.number("v4", 1, 32).orElse(settings.ipv4Prefix());
    int v6 = (int) prefix.number("v6", 1, 128).orElse(settings.ipv6Prefix());
    return settings.withPrefixes(v4, v6);
  }

  /** Whether a file has any of these settings. */
  public static boolean isConfiguredIn(Section file) {
    return KEYS.stream().anyMatch(file::has);
  }

  /** Refuses settings that are in more than one file. */
  public static void refuseSecond(List<Section> files, Set<String> keys, Problems problems) {
    for (String key : keys) {
      List<Section> having = files.stream().filter(file -> file.has(key)).toList();
      for (int i = 1; i < having.size(); i++) {
        String expected = "in one file only; the first is at " + having.get(0).location(key);
        problems.error(having.get(i).location(key), key, "again", expected);
      }
    }
  }
}

package dev.weir.yaml;

import dev.weir.http.ForwardedHeader;
import dev.weir.http.HttpSettings;
import dev.weir.http.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads how requests are to be read: proxies, prefixes, paths, tokens. */
final class SettingsSyntax {
  static final Set<String> KEYS =
      Set.of(
          "trusted-proxies", "trusted-hops", "forwarded-header", "ip-prefix", "path-case", "jwt");

  private static final Map<String, ForwardedHeader> HEADERS =
      Map.of(
          "X-Forwarded-For", ForwardedHeader.X_FORWARDED_FOR,
          "Forwarded", ForwardedHeader.FORWARDED);

  static final Set<String> PREFIX_KEYS = Set.of("v4", "v6");

  private final Problems problems;

  SettingsSyntax(Problems problems) {
    this.problems = problems;
  }

  /** The settings with what this file says about them. */
  HttpSettings read(Section file, HttpSettings before, JwtSyntax tokens) {
    HttpSettings settings = before;
    var hops = file.number("trusted-hops", 1, 32);
    List<Network> proxies = proxies(file);
    boolean both =
        (hops.isPresent() && !(proxies.isEmpty() && settings.trustedProxies().isEmpty()))
            || (!proxies.isEmpty() && settings.trustedHops() > 0);
    if (both) {
      String second = hops.isPresent() ? "trusted-hops" : "trusted-proxies";
      String expected = "either trusted-hops or trusted-proxies";
      problems.error(file.place(second), second, "both", expected);
    } else if (hops.isPresent()) {
      settings = settings.withTrustedHops((int) hops.getAsLong());
    } else if (!proxies.isEmpty()) {
      settings = settings.withTrustedProxies(proxies);
    }
    settings =
        settings.withForwardedHeader(
            file.choice("forwarded-header", HEADERS).orElse(settings.forwardedHeader()));
    settings =
        settings.withPathCaseSensitive(
            file.choice("path-case", Map.of("sensitive", true, "insensitive", false))
                .orElse(settings.pathCaseSensitive()));
    settings = prefixes(file, settings);
    Node jwt = file.node("jwt");
    return jwt == null ? settings : settings.withJwt(tokens.read(jwt).orElse(null));
  }

  private List<Network> proxies(Section file) {
    TrustLint trust = new TrustLint(problems);
    List<Network> proxies = new ArrayList<>();
    for (Node.Text text : file.texts("trusted-proxies")) {
      Section.made(text, "trusted-proxies", Network::parse, problems)
          .ifPresent(
              network -> {
                trust.checkWidth(text, network);
                proxies.add(network);
              });
    }
    return proxies;
  }

  private HttpSettings prefixes(Section file, HttpSettings settings) {
    Node node = file.node("ip-prefix");
    if (node == null) {
      return settings;
    }
    Section prefix = Section.of(node, "ip-prefix", PREFIX_KEYS, problems);
    int v4 = (int) prefix.number("v4", 1, 32).orElse(settings.ipv4Prefix());
    int v6 = (int) prefix.number("v6", 1, 128).orElse(settings.ipv6Prefix());
    return settings.withPrefixes(v4, v6);
  }

  /** Whichever file of several says something about this. */
  static boolean isIn(Section file) {
    return KEYS.stream().anyMatch(file::has);
  }

  /** A setting belongs into one file only. */
  static void refuseSecond(List<Section> files, Problems problems) {
    for (String key : KEYS) {
      List<Section> having = files.stream().filter(file -> file.has(key)).toList();
      for (int i = 1; i < having.size(); i++) {
        String expected = "in one file only; the first is at " + having.get(0).place(key);
        problems.error(having.get(i).place(key), key, "again", expected);
      }
    }
  }
}

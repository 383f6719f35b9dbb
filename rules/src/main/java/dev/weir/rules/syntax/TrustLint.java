package dev.weir.rules.syntax;

import dev.weir.http.address.Network;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.List;
import java.util.Set;

/**
 * Warns of proxies that are trusted too easily, and of what trusted proxies must do. Not
 * thread-safe.
 */
public final class TrustLint {
  private final Problems problems;

  /** A lint that adds its warnings to {@code problems}. */
  public TrustLint(Problems problems) {
    this.problems = problems;
  }

  void checkWidth(YamlNode.Text written, Network network) {
    if (network.isWide()) {
      problems.warning(
          written.location(),
          LintCodes.TRUSTS_STRANGERS,
          "trusted-proxies: "
              + Problems.shown(written.value())
              + " holds strangers, who can then choose their address and every trusted header"
              + " (name the addresses of your own proxies, such as 10.0.0.7)");
    }
  }

  /**
   * Warns that trusted proxies must set or remove trusted headers: a proxy that passes on what a
   * client sent lets the client choose it.
   *
   * @param headers that rules trust
   */
  public void checkHeaders(List<Section> files, Set<String> headers) {
    for (Section file : files) {
      for (String key : List.of("trusted-proxies", "trusted-hops")) {
        if (file.has(key) && !headers.isEmpty()) {
          problems.warning(
              file.location(key),
              LintCodes.PROXY_MUST_SET,
              key
                  + ": clients choose "
                  + Problems.shown(String.join(", ", headers))
                  + " unless every proxy that is trusted sets or removes "
                  + (headers.size() == 1 ? "it" : "them")
                  + " (weir validate --gateway-headers nginx prints the lines, also for caddy, envoy"
                  + " and haproxy; then ignore this)");
        }
      }
    }
  }
}

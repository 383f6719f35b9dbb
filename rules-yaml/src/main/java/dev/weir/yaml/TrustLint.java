package dev.weir.yaml;

import dev.weir.http.Network;
import java.util.List;
import java.util.Set;

/** Looks for proxies that are trusted too easily, and says what trust asks of them. */
final class TrustLint {
  static final String WIDE = "trusts-strangers";
  static final String MUST_SET = "proxy-must-set";

  private final Problems problems;

  TrustLint(Problems problems) {
    this.problems = problems;
  }

  void checkWidth(Node.Text written, Network network) {
    if (network.isWide()) {
      problems.warning(
          written.place(),
          WIDE,
          "trusted-proxies: "
              + Problems.shown(written.value())
              + " holds strangers, who can then choose their address and every trusted header"
              + " (name the addresses of your own proxies, such as 10.0.0.7)");
    }
  }

  /**
   * A proxy that passes on what a client sent lets the client choose it.
   *
   * @param headers that rules believe
   */
  void checkHeaders(List<Section> files, Set<String> headers) {
    for (Section file : files) {
      for (String key : List.of("trusted-proxies", "trusted-hops")) {
        if (file.has(key) && !headers.isEmpty()) {
          problems.warning(
              file.place(key),
              MUST_SET,
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

package dev.weir.rules;

import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.http.jwt.TokenLocation;
import dev.weir.rules.syntax.LimitSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a gateway must do to request headers so that rules can trust them.
 *
 * @param trusted headers that rules trust, because only the gateway can have set them
 * @param read other headers that rules read, as clients send them
 * @param forwarded the header that contains the client's address
 */
public record GatewayHeaders(List<String> trusted, List<String> read, ForwardedHeader forwarded) {
  private static final String TRUSTED = "trusted-header ";
  private static final String HEADER = "header ";

  /** Names that no gateway's configuration needs quotes for. */
  private static final Pattern PLAIN = Pattern.compile("[a-z0-9_-]+");

  /** The gateways whose configuration is known. */
  public enum Gateway {
    /** NGINX with {@code auth_request}. */
    NGINX,
    /** Caddy with {@code forward_auth}. */
    CADDY,
    /** Envoy with {@code ext_authz}. */
    ENVOY,
    /** HAProxy. */
    HAPROXY
  }

  /** The headers that a set of rules needs. */
  public static GatewayHeaders of(RuleSet rules) {
    Set<String> trusted = new TreeSet<>();
    Set<String> read = new TreeSet<>();
    for (String name : rules.book().names().list()) {
      if (name.startsWith(TRUSTED)) {
        trusted.add(name.substring(TRUSTED.length()));
      } else if (name.startsWith(HEADER)) {
        read.add(name.substring(HEADER.length()));
      } else if (name.startsWith("cookie ")) {
        read.add("cookie");
      }
    }
    JwtSettings jwt = rules.http().jwt();
    if (jwt != null) {
      read.add(jwt.token().kind() == TokenLocation.Kind.COOKIE ? "cookie" : jwt.token().name());
    }
    read.removeAll(trusted);
    return new GatewayHeaders(
        List.copyOf(trusted), List.copyOf(read), rules.http().forwardedHeader());
  }

  /**
   * Lines for a gateway's configuration, with comments that say where they go.
   *
   * @throws IllegalArgumentException if the name of a trusted header would need quotes
   */
  public List<String> lines(Gateway gateway) {
    for (String name : trusted) {
      if (!PLAIN.matcher(name).matches()) {
        String expected =
            "letters, digits, dashes and underscores, which every gateway takes without quotes";
        throw LimitSyntax.invalid("trusted-header", name, expected);
      }
    }
    List<String> lines = new ArrayList<>();
    switch (gateway) {
      case NGINX -> nginx(lines);
      case CADDY -> caddy(lines);
      case ENVOY -> envoy(lines);
      case HAPROXY -> haproxy(lines);
    }
    return lines;
  }

  /** The path of the check, with the headers that the gateway vouches for. */
  private String path() {
    return "/v1/check;trusted-headers=" + String.join(",", trusted);
  }

  private boolean isForwarded() {
    return forwarded == ForwardedHeader.FORWARDED;
  }

  private void nginx(List<String> lines) {
    if (isForwarded()) {
      lines.add("# In http { }: the client's address as these rules read it.");
      lines.add("map $remote_addr $weir_forwarded {");
      lines.add("  ~^[0-9.]+$ \"for=$remote_addr\";");
      lines.add("  default    \"for=\\\"[$remote_addr]\\\"\";");
      lines.add("}");
    }
    lines.add("# In location = /_weir, in place of its proxy_pass.");
    lines.add("proxy_pass \"http://weir" + path() + "?deny=403\";");
    if (isForwarded()) {
      lines.add("proxy_set_header Forwarded $weir_forwarded;");
    }
    if (!trusted.isEmpty()) {
      lines.add(
          "# Removes what clients send. Instead of \"\", write what NGINX itself knows of them.");
    }
    trusted.forEach(name -> lines.add("proxy_set_header " + pretty(name) + " \"\";"));
  }

  private void caddy(List<String> lines) {
    if (isForwarded()) {
      lines.add("# In the site, before forward_auth: the client's address as these rules read it.");
      lines.add("map {remote_host} {weir_forwarded} {");
      // After a regular expression, Caddy replaces groups, but no placeholders.
      lines.add("  ~^(.*:.*)$ `for=\"[${1}]\"`");
      lines.add("  default for={remote_host}");
      lines.add("}");
    }
    lines.add("# In forward_auth, in place of its uri. The ? keeps the client's query out.");
    lines.add("uri " + path() + "?");
    if (isForwarded()) {
      lines.add("header_up Forwarded {weir_forwarded}");
    }
    if (!trusted.isEmpty()) {
      lines.add("# Removes what clients send. Instead, write what Caddy itself knows of them:");
      lines.add("# header_up " + pretty(trusted.get(0)) + " VALUE");
    }
    trusted.forEach(name -> lines.add("header_up -" + pretty(name)));
  }

  private void envoy(List<String> lines) {
    List<String> removed = new ArrayList<>(trusted);
    if (isForwarded()) {
      lines.add(
          "# Envoy does not write Forwarded: set forwarded-header: X-Forwarded-For in the rules.");
      removed.add("forwarded");
    }
    if (!removed.isEmpty()) {
      lines.add(
          "# In http_filters, before every filter that calls Weir or sets one of these headers. A");
      lines.add("# route's request_headers_to_remove comes too late: it runs after the filters.");
      lines.add("- name: envoy.filters.http.header_mutation");
      lines.add("  typed_config:");
      lines.add(
          "    \"@type\": type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3"
              + ".HeaderMutation");
      lines.add("    mutations:");
      lines.add("      request_mutations:");
      removed.forEach(name -> lines.add("        - remove: " + name));
    }
    lines.add("# In the http_service of envoy.filters.http.ext_authz.");
    lines.add("path_prefix: \"" + path() + "\"");
    List<String> passed = new ArrayList<>(trusted);
    passed.addAll(read);
    passed.add("x-forwarded-for");
    lines.add("# In envoy.filters.http.ext_authz itself: what reaches Weir.");
    lines.add("allowed_headers:");
    lines.add("  patterns:");
    passed.forEach(name -> lines.add("    - {exact: \"" + name + "\", ignore_case: true}"));
  }

  private void haproxy(List<String> lines) {
    lines.add("# In the frontend, before every rule that sets one of these headers.");
    if (isForwarded()) {
      lines.add("http-request set-header Forwarded for=%[src] unless { src -m sub : }");
      lines.add("http-request set-header Forwarded for=\\\"[%[src]]\\\" if { src -m sub : }");
    } else {
      lines.add("http-request set-header X-Forwarded-For %[src]");
    }
    trusted.forEach(name -> lines.add("http-request del-header " + pretty(name)));
    lines.add("# Send the check to " + path());
  }

  /** {@code X-Api-Key} for {@code x-api-key}. */
  private static String pretty(String name) {
    StringBuilder pretty = new StringBuilder(name);
    for (int i = 0; i < name.length(); i++) {
      if (i == 0 || name.charAt(i - 1) == '-') {
        pretty.setCharAt(i, Character.toUpperCase(name.charAt(i)));
      }
    }
    return pretty.toString();
  }
}

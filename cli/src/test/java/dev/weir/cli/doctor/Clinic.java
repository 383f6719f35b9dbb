package dev.weir.cli.doctor;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpServer;
import dev.weir.cli.CommandRun;
import dev.weir.cli.LocalServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A gateway with a server and an application behind it, as a doctor finds them. */
final class Clinic implements AutoCloseable {
  static final String RULES =
      """
      trusted-proxies: [127.0.0.1/32]
      identity: {key: header X-API-Key, user: trusted-header X-User, caller: [user, ip]}
      tiers: {free: 4/hour, pro: 1000/hour}
      rules:
        - {name: login, match: {method: POST, path: /login}, per: ip, limit: 5/hour, algorithm: sliding-log}
        - {name: search, match: {path: [/search, /export]}, per: caller, limit: 6/hour}
        - {name: beta, match: {path: "/beta/**", header: {X-Beta: "*"}}, per: key, limit: 3/hour}
        - {name: plan, match: {path: "/plan/**"}, per: ip, tier: trusted-header X-Plan, default-tier: free}
        - {name: site, limit: 12000/second}
        - {name: gone, match: {path: /gone}, limit: blocked}
        - {name: trial, match: {path: /trial}, per: ip, limit: 2/hour, shadow: true}
      lint-ignore: [proxy-must-set, forgeable-key]
      """;

  final Path directory;
  final Path rules;
  private final List<Runnable> parts = new ArrayList<>();
  private final HttpServer app;

  Clinic(Path directory, String text) throws Exception {
    this.directory = directory;
    this.rules = Files.writeString(directory.resolve("rules.yaml"), text);
    this.app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    app.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    app.start();
  }

  /** Starts another server with these rules, whose counters are its own. */
  LocalServer server() throws Exception {
    LocalServer server = LocalServer.with(rules);
    parts.add(server::close);
    return server;
  }

  int appPort() {
    return app.getAddress().getPort();
  }

  /** Closes a part at the end, before all earlier ones. */
  TestGateway with(TestGateway part) {
    parts.add(part::close);
    return part;
  }

  /** Runs {@code weir doctor}, without asking. */
  CommandRun doctor(TestGateway gateway, Object... flags) {
    List<Object> words = new ArrayList<>(List.of("doctor", gateway.url(), "--rules", rules));
    words.addAll(List.of("--yes", "--json"));
    words.addAll(List.of(flags));
    return CommandRun.weir(words.toArray()).assertHarmless();
  }

  /** The findings with a verdict, each as {@code check: subject}, in order. */
  static SortedSet<String> findings(CommandRun run, String verdict) throws ParseException {
    SortedSet<String> found = new TreeSet<>();
    if (JSONObjectUtils.parse(run.out()).get("findings") instanceof List<?> findings) {
      for (Object finding : findings) {
        if (finding instanceof Map<?, ?> one && verdict.equals(one.get("verdict"))) {
          found.add(one.get("check") + ": " + one.get("subject"));
        }
      }
    }
    return found;
  }

  static SortedSet<String> faults(CommandRun run) throws ParseException {
    return findings(run, "fault");
  }

  @Override
  public void close() {
    for (int i = parts.size() - 1; i >= 0; i--) {
      parts.get(i).run();
    }
    app.stop(0);
  }
}

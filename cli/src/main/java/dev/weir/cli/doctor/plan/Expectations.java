package dev.weir.cli.doctor.plan;

import dev.weir.Descriptor;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.doctor.probe.ProbeRequest;
import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.identity.HttpReader;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import dev.weir.rules.RuleSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the rules say about requests, if the gateway describes them as they are. */
public final class Expectations implements AutoCloseable {
  /** An address that no rule trusts, where it does not matter which one. */
  private static final String ANY_CLIENT = "192.0.2.77";

  private final RuleSet rules;
  private final HttpReader reader;

  /** Expectations of a set of rules. */
  public Expectations(RuleSet rules) {
    this.rules = rules;
    this.reader = new HttpReader(rules.http(), rules.book().names());
  }

  /** The rules. */
  public RuleSet rules() {
    return rules;
  }

  /** The charges of a request. */
  public Match match(ProbeRequest request) {
    return rules.book().match(read(request));
  }

  /** How a rule applies to a request. */
  public Explanation explain(Rule rule, ProbeRequest request) {
    return rules.book().explain(read(request), 0).stream()
        .filter(one -> one.rule().name().equals(rule.name()))
        .findFirst()
        .orElseThrow();
  }

  /** The values of a request that rules read, by their names. */
  public Map<String, String> values(ProbeRequest request) {
    Descriptor read = read(request);
    Map<String, String> values = new HashMap<>();
    for (String name : read.names().list()) {
      String value = read.value(name);
      if (value != null && !Descriptor.isUnusable(value) && !name.startsWith("path ")) {
        values.put(name, value);
      }
    }
    return values;
  }

  private Descriptor read(ProbeRequest request) {
    String client = request.source().orElse(ANY_CLIENT);
    List<String> headers = new ArrayList<>(request.headers());
    int hops = rules.http().trustedHops();
    if (hops > 0) {
      boolean forwarded = rules.http().forwardedHeader() == ForwardedHeader.FORWARDED;
      String entry = forwarded ? "for=" + client : client;
      String name = forwarded ? "Forwarded: " : "X-Forwarded-For: ";
      headers.add(name + String.join(", ", Collections.nCopies(hops, entry)));
    }
    return reader.read(
        SyntheticRequest.of(
            "METHOD", request.method(), "PATH", request.target(), headers, request.host(), client));
  }

  @Override
  public void close() {
    reader.close();
  }
}

package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.source.RulesFileWatcher;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** What is logged about a version that becomes active. */
class ReloadLogTest extends ReloadTestBase {

  @Test
  void addedAndRemovedRulesAreLogged() throws Exception {
    RulesFileWatcher watch = watch(file);
    write(file, rules("one", "two", "three"));
    settle(watch);
    assertThat(logged).last().extracting(entry -> entry.getLevel()).isEqualTo(Level.INFO);
    assertThat(lastMessage())
        .isEqualTo(
            "Rules %s are active, from %s: 2 added (two, three)"
                .formatted(watch.current().version(), file));
    write(file, rules("three", "four"));
    settle(watch);
    assertThat(logged).last().extracting(entry -> entry.getLevel()).isEqualTo(Level.WARNING);
    assertThat(lastMessage()).endsWith(file + ": 1 added (four), 2 removed (one, two)");
    write(file, rules("four", "three"));
    settle(watch);
    assertThat(logged).last().extracting(entry -> entry.getLevel()).isEqualTo(Level.INFO);
    assertThat(lastMessage()).as("in another order").endsWith("from " + file + ": no rule changed");
  }

  @Test
  void changedRulesAreLogged() throws Exception {
    String text =
        """
        trusted-proxies: 10.0.0.0/8
        identity: {who: header X-Key}
        tiers: {free: 5/minute, pro: 50/minute}
        rules:
          - {name: limit, limit: 5/minute}
          - {name: match, match: {path: /a, ip: 192.0.2.0/24}, limit: 5/minute}
          - {name: identity, per: who, limit: 5/minute}
          - {name: tier, per: ip, tier: trusted-header X-Plan, default-tier: free}
          - {name: override, per: ip, limit: 5/minute, overrides: {192.0.2.1: 9/minute}}
          - {name: block, per: ip, limit: 5/minute, block: 192.0.2.1}
          - {name: cost, limit: 5/minute, cost: 2}
          - {name: shadow, limit: 5/minute}
          - {name: mode, limit: 500/minute}
          - {name: fails, limit: 5/minute}
          - {name: same, match: {path: /a, ip: 192.0.2.0/24}, per: ip, limit: 5/minute, allow: 10.0.0.0/8}
        lint-ignore: [forgeable-key, counted-twice, proxy-must-set]
        """;
    write(file, text);
    RulesFileWatcher watch = watch(file);
    write(file, "# a remark\n" + text);
    settle(watch);
    assertThat(lastMessage()).endsWith(file + ": no rule changed");
    String changed =
        text.replace("{name: limit, limit: 5/minute", "{name: limit, limit: 6/minute")
            .replace("{name: match, match: {path: /a", "{name: match, match: {path: /b")
            .replace("header X-Key", "header X-Other")
            .replace("free: 5/minute", "free: 6/minute")
            .replace("192.0.2.1: 9/minute", "192.0.2.1: 10/minute")
            .replace("block: 192.0.2.1", "block: 192.0.2.2")
            .replace("cost: 2", "cost: 3")
            .replace("{name: shadow,", "{name: shadow, shadow: true,")
            .replace("{name: mode,", "{name: mode, mode: local,")
            .replace("{name: fails,", "{name: fails, when-store-fails: deny,");
    write(file, changed);
    settle(watch);
    assertThat(lastMessage())
        .endsWith(
            file
                + ": 10 changed (limit, match, identity, tier, override, block, cost, shadow, mode,"
                + " fails)");
    write(file, changed.replace("10.0.0.0/8\nid", "10.0.0.0/9\nid"));
    settle(watch);
    assertThat(lastMessage()).endsWith(file + ": settings changed");
  }

  @Test
  void changedUpstreamsRoutesAndSheddingAreLogged() throws Exception {
    String text =
        """
        upstreams: {a: "http://127.0.0.1:1", b: "http://127.0.0.1:2"}
        routes:
          - {match: {path: /a/**, header: {X-A: "1"}}, upstream: a}
          - {upstream: b}
        shedding: {capacity: 10}
        rules: [{name: one, limit: 5/minute}]
        """;
    write(file, text);
    RulesFileWatcher watch = watch(file);
    write(file, "# a remark\n" + text);
    settle(watch);
    assertThat(lastMessage()).endsWith(file + ": no rule changed");
    write(file, text.replace("/a/**", "/b/**"));
    settle(watch);
    assertThat(lastMessage()).endsWith(file + ": routes changed");
    write(file, text.replace("127.0.0.1:2", "127.0.0.1:3").replace("5/minute", "6/minute"));
    settle(watch);
    assertThat(lastMessage())
        .endsWith(file + ": 1 changed (one), upstreams changed (b), routes changed");
    write(file, "rules: [{name: one, limit: 6/minute}]\n");
    settle(watch);
    assertThat(lastMessage())
        .endsWith(file + ": upstreams changed (a, b), routes changed, shedding changed");
  }

  @Test
  void changedCallsAreLogged() throws Exception {
    String text =
        """
        lint-ignore: needs-application
        rules: [{name: one, limit: 5/minute}]
        calls: [{name: a, limit: 5/minute}, {name: b, limit: 5/minute}]
        """;
    write(file, text);
    RulesFileWatcher watch = watch(file);
    write(file, "# a remark\n" + text);
    settle(watch);
    assertThat(lastMessage()).endsWith(file + ": no rule changed");
    write(file, text.replace("a, limit: 5", "a, limit: 6").replace("name: b", "name: c"));
    settle(watch);
    assertThat(logged).last().extracting(entry -> entry.getLevel()).isEqualTo(Level.WARNING);
    assertThat(lastMessage())
        .endsWith(file + ": 1 added (call c), 1 changed (call a), 1 removed (call b)");
    assertThat(watch.current().callNames()).containsExactly("a", "c");
    assertThat(watch.current().call("a").orElseThrow().rules().get(0).allowance().limits())
        .singleElement()
        .hasToString("TOKEN_BUCKET 6/PT1M burst 6");
    write(file, "calls: [{name: a, limit: 0/minute}]\n");
    settle(watch);
    assertThat(watch.current().callNames()).as("a refused version").containsExactly("a", "c");
    write(file, "lint-ignore: needs-application\ncalls: [{name: one, limit: 5/minute}]\n");
    settle(watch);
    assertThat(lastMessage())
        .endsWith(file + ": 1 added (call one), 3 removed (one, call a, call c)");
  }

  @Test
  void truncatedFileIsWarnedOfInABoundedMessage() throws Exception {
    String[] names = new String[10_001];
    for (int i = 0; i < names.length; i++) {
      names[i] = "r" + i;
    }
    String whole = rules(names);
    write(file, whole);
    RulesFileWatcher watch = watch(file);
    write(file, whole.substring(0, whole.indexOf("  - {name: r1,")));
    settle(watch);
    assertThat(logged).last().extracting(entry -> entry.getLevel()).isEqualTo(Level.WARNING);
    assertThat(lastMessage())
        .contains(": 10000 removed (r1, r2, r3, r4, r5, ")
        .endsWith("r18, r19, r20 and 9980 more)");
  }
}

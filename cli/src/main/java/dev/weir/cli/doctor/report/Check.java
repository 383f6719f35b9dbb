package dev.weir.cli.doctor.report;

/** The checks, by names that never change, each with what to do about a fault. */
public enum Check {
  /** The servers answer, with these rules and their store. */
  LIMITER_ANSWERS(
      "limiter-answers",
      "start the server, or correct the address that the gateway calls; decide what the gateway"
          + " does without it",
      "gateways.md#gateways-in-front"),
  /** The rule applies to the requests that it is about. */
  RULE_MATCHES(
      "rule-matches",
      "let the gateway send what the rule reads; weir explain --server shows what a rule needs",
      "gateways.md#how-the-gateway-tells-the-request"),
  /** The gateway asks about all paths of the rule. */
  PATH_LIMITED(
      "path-limited",
      "let the gateway ask about this path too: one of its locations or routes does not",
      "gateways.md#gateways-in-front"),
  /** A fresh caller gets the whole limit. */
  ADMITS(
      "admits-its-limit",
      "look for a gateway that asks twice, or for others who share the counter",
      "rules.md#how-much"),
  /** What exceeds the limit is denied. */
  DENIES(
      "denies-the-next",
      "compare the rules of the servers with the file; look for actions and for a gateway that"
          + " lets requests pass when it waits too long",
      "gateways.md#gateways-in-front"),
  /** Clients see their limit and when to retry. */
  HEADERS("headers-arrive", "let the gateway pass the headers on", "gateways.md#nginx"),
  /** Callers have a counter each. */
  CALLERS_APART(
      "callers-apart",
      "let the gateway send the header or cookie by which the rule tells callers apart",
      "rules.md#whom-it-counts"),
  /** The client's address reaches the limiter. */
  FORWARDED_ADDRESS(
      "forwarded-address",
      "let the gateway send the client's address, and put the gateway's into trusted-proxies",
      "identity.md#the-clients-address"),
  /** A client cannot choose its address. */
  FORGED_ADDRESS(
      "forged-address",
      "let the gateway replace the header, or append to it, and trust the gateway's address only",
      "identity.md#the-clients-address"),
  /** A client cannot choose what only the gateway may say. */
  FORGED_HEADER(
      "forged-header",
      "let the gateway remove the header: weir validate --gateway-headers prints the lines",
      "gateways.md#headers-that-only-the-gateway-may-set"),
  /** A client cannot choose the path, method or host that the limiter sees. */
  FORGED_REQUEST(
      "forged-request",
      "let the gateway set method, URI and host, whatever the client sent",
      "gateways.md#how-the-gateway-tells-the-request"),
  /** Other spellings of a path are limited like the path. */
  SPELLINGS(
      "path-spellings",
      "let the gateway ask about every spelling that your application serves",
      "identity.md#the-path"),
  /** All servers count in the same counters. */
  SERVERS_SHARE(
      "servers-share-counters",
      "give all servers the same --store, prefix and secret for keys",
      "serve.md#counters-in-redis"),
  /** What happens while the store does not answer. */
  STORE_FAILURE(
      "store-failure",
      "compare when-store-fails of the rule, and what the gateway does with a 503",
      "serve.md#while-redis-does-not-answer"),
  /** The store does what every store must. */
  STORE_CONTRACT(
      "store-contract",
      "this is no server that Weir can use, or something between alters commands",
      "redis.md"),
  /** The store answers soon. */
  STORE_ROUND_TRIP("store-round-trip", "move servers and store closer together", "redis.md"),
  /** Redis keeps counters, and takes them. */
  STORE_SETTINGS("store-settings", "change the settings of Redis", "redis.md"),
  /** Redis and this machine agree about the time. */
  STORE_CLOCK("store-clock", "synchronize the clocks with NTP", "redis.md");

  private final String id;
  private final String remedy;
  private final String page;

  Check(String id, String remedy, String page) {
    this.id = id;
    this.remedy = remedy;
    this.page = page;
  }

  /** The name of the check in reports and for {@code --skip}. */
  public String id() {
    return id;
  }

  /** What to do about a fault. */
  public String remedy() {
    return remedy;
  }

  /** Where the docs have more. */
  public String page() {
    return "docs/" + page;
  }
}

package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server of a shop after a busy hour, with a clock of its own: a second is over as soon as its
 * requests are answered. The hour ends now, since what comes from the store has the time of this
 * machine.
 */
final class BusyShop implements AutoCloseable {
  private static final Duration HISTORY = Duration.ofMinutes(63);
  private static final int SECONDS_AN_HOUR_AGO = 300;
  private static final int SKIPPED_MINUTES = 42;
  private static final int SECONDS_BEFORE_NOW = 960;
  private static final int RELOAD_AT = 300;
  private static final int MAX_POLLS = 100;
  private static final int ATTACK_AT = 600;
  private static final int ACTION_AT = 820;
  private static final int ATTACK = 8;

  private static final String RULES =
      """
      identity: {key: header X-API-Key}
      lint-ignore: forgeable-key
      rules:
        - {name: whole-shop, limit: 2000000/hour, when-store-fails: allow}
        - {name: login, match: {path: /login}, per: ip, limit: 30/hour, when-store-fails: allow}
        - {name: search, match: {path: /search}, per: key, limit: 200/hour, when-store-fails: allow}
        - {name: checkout, match: {path: /checkout}, per: key, limit: 125/hour, when-store-fails: allow}
        - {name: checkout-next, match: {path: /checkout}, per: key, limit: 75/hour, shadow: true, when-store-fails: allow}
        - {name: export, match: {path: /export}, per: key, limit: 20/hour, when-store-fails: allow}
      """;

  /** Moved by hand. */
  private static final class ShopClock implements InstantSource {
    private final AtomicLong millis = new AtomicLong(Instant.now().minus(HISTORY).toEpochMilli());

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis.get());
    }

    void move(Duration by) {
      millis.addAndGet(by.toMillis());
    }
  }

  private final ShopClock clock;
  private final Random random = new Random(1); // the same shop every time
  final TestServer served;

  private BusyShop(ShopClock clock, TestServer served) {
    this.clock = clock;
    this.served = served;
    served.server.sampler().close(); // its timer would end seconds too
    live();
  }

  /** With counters in the server. */
  static BusyShop open() {
    ShopClock clock = new ShopClock();
    return new BusyShop(clock, TestServer.at(RULES, clock));
  }

  /** With counters in Redis. */
  static BusyShop on(RedisStore redis, String address) {
    ShopClock clock = new ShopClock();
    return new BusyShop(clock, TestServer.on(RULES, clock, redis, address));
  }

  private void live() {
    for (int second = 0; second < SECONDS_AN_HOUR_AGO; second++) {
      live(1);
    }
    for (int minute = 0; minute < SKIPPED_MINUTES; minute += 6) {
      endSecond(Duration.ofMinutes(6));
    }
    for (int second = 0; second < SECONDS_BEFORE_NOW; second++) {
      if (second == RELOAD_AT) {
        reload();
      }
      if (second == ACTION_AT) {
        act();
      }
      live(second < ATTACK_AT ? 1 : ATTACK);
    }
    while (clock.instant().isBefore(Instant.now())) {
      live(ATTACK);
    }
  }

  /** Lives through another second, with the attack. */
  void second() {
    live(ATTACK);
  }

  private void live(int attack) {
    sendRequests(attack);
    endSecond(Duration.ofSeconds(1));
  }

  private void endSecond(Duration after) {
    clock.move(after);
    served.server.sampler().tick();
  }

  private void reload() {
    String before = served.watch.status().version();
    try {
      Files.writeString(served.rulesFile, RULES.replace("limit: 125/hour", "limit: 120/hour"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (int i = 0; i < MAX_POLLS && served.watch.status().version().equals(before); i++) {
      served.watch.poll();
      live(1);
    }
  }

  private void act() {
    JsonObject action =
        new JsonObject()
            .put("action", "multiply")
            .put("rule", "search")
            .put("factor", "1.5")
            .put("for", "2h")
            .put("why", "Sale until tonight");
    HttpResponse<String> taken =
        served.admin("POST", "/actions", action.encode(), "Weir-Operator", "Ann");
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
  }

  /**
   * Sends the requests of a second.
   *
   * @param attack how many logins somebody tries who guesses passwords
   */
  private void sendRequests(int attack) {
    JsonArray requests = new JsonArray();
    int searches = 22 + random.nextInt(9);
    for (int i = 0; i < searches; i++) {
      requests.add(request("/search", "customer-" + random.nextInt(500)));
    }
    for (int scraper = 0; scraper < 5; scraper++) {
      if (random.nextInt(scraper + 1) == 0) {
        requests.add(request("/search", "scraper-" + scraper));
      }
    }
    for (int i = 0; i < 4; i++) {
      requests.add(login("198.51.100." + random.nextInt(250)));
      requests.add(request("/checkout", "customer-" + random.nextInt(70)));
    }
    if (random.nextInt(3) == 0) {
      requests.add(request("/export", "partner-" + random.nextInt(3)));
    }
    for (int i = 0; i < attack + random.nextInt(2); i++) {
      requests.add(login("203.0.113." + (7 + random.nextInt(20) / 13)));
    }
    served.decide(new JsonObject().put("requests", requests).encode());
  }

  private static JsonObject request(String path, String key) {
    return new JsonObject()
        .put("values", new JsonObject().put("path", path).put("header x-api-key", key));
  }

  private static JsonObject login(String address) {
    return new JsonObject()
        .put("values", new JsonObject().put("path", "/login").put("ip", address));
  }

  @Override
  public void close() {
    served.close();
  }
}

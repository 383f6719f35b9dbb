package dev.weir.spring;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.RedisServer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.WebApplicationType;

/**
 * The kinds of applications: Reactor Netty and Tomcat, with counters in the process and in Redis.
 */
enum Setup {
  WEBFLUX(WebApplicationType.REACTIVE, false),
  WEBFLUX_ON_REDIS(WebApplicationType.REACTIVE, true),
  SERVLET(WebApplicationType.SERVLET, false),
  SERVLET_ON_REDIS(WebApplicationType.SERVLET, true);

  private static final AtomicInteger STARTED = new AtomicInteger();

  private final WebApplicationType type;
  private final boolean redis;

  Setup(WebApplicationType type, boolean redis) {
    this.type = type;
    this.redis = redis;
  }

  boolean isReactive() {
    return type == WebApplicationType.REACTIVE;
  }

  boolean isOnRedis() {
    return redis;
  }

  /** Starts an application whose counters are its own. */
  Running start(Map<String, String> properties, Class<?>... more) {
    Map<String, String> all = new HashMap<>(properties);
    if (redis) {
      String prefix = "?prefix=app" + STARTED.incrementAndGet() + ":";
      all.put("weir.store.url", Shared.REDIS.url() + prefix);
      all.put("weir.store.deadline", "30s");
    }
    return Apps.start(type, all, more);
  }

  /** One Redis for all of them; it ends with the JVM. */
  private static final class Shared {
    static final RedisServer REDIS = RedisServer.start();
  }
}

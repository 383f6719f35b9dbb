package dev.weir.spring;

import dev.weir.key.KeySecret;
import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import dev.weir.redis.KeySecretConflict;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.spring.redis.SpringRedis;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.util.ClassUtils;

/** Makes the {@link Weir} of an application. */
final class WeirFactory {
  private static final String SPRING_DATA =
      "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";
  private static final String URL_REMEDY =
      "Set weir.store.url to a URL such as redis://host:6379, or leave it out to count in this"
          + " process.";

  private WeirFactory() {}

  static Weir create(
      WeirProperties properties, BeanFactory beans, List<WeirCustomizer> customizers) {
    WeirProperties.Store store = properties.store();
    WeirBuilder weir = begin(store, beans);
    weir.onStoreFailure(properties.whenStoreFails());
    if (properties.keySecret() != null) {
      weir.keySecret(secret(properties.keySecret()));
    }
    customizers.forEach(customizer -> customizer.customize(weir));
    try {
      return weir.build();
    } catch (RedisUnusable e) {
      throw new WeirStartupException(
          property(store) + ": " + e.getMessage(),
          "Mend Redis or its address"
              + (store.required()
                  ? ", or set weir.store.required=false to start without it."
                  : "."),
          e);
    } catch (KeySecretConflict e) {
      throw new WeirStartupException(
          "weir.key-secret: " + e.getMessage(),
          "Give all applications on this Redis the same weir.key-secret, or none.",
          e);
    } catch (IllegalArgumentException e) {
      throw new WeirStartupException(property(store) + ": " + e.getMessage(), URL_REMEDY, e);
    }
  }

  /** Refuses settings that a Weir of the application does not have. */
  static void requireUnset(WeirProperties properties, Optional<String> bean) {
    WeirProperties.Store store = properties.store();
    requireUnset("weir.store.url", store.url() != null, bean);
    requireUnset("weir.store.use-spring-redis", store.useSpringRedis(), bean);
    requireUnset("weir.store.deadline", store.deadline() != null, bean);
    requireUnset("weir.store.required", store.required(), bean);
    requireUnset("weir.key-secret", properties.keySecret() != null, bean);
  }

  private static void requireUnset(String property, boolean set, Optional<String> bean) {
    if (set && bean.isPresent()) {
      throw new WeirStartupException(
          property
              + ": set (expected: unset, since the application has a Weir of its own, bean "
              + bean.get()
              + ")",
          "Remove the bean and change what has no property with a bean of type WeirCustomizer, or"
              + " leave "
              + property
              + " out.");
    }
  }

  private static String property(WeirProperties.Store store) {
    return store.useSpringRedis() ? "weir.store.use-spring-redis" : "weir.store.url";
  }

  private static WeirBuilder begin(WeirProperties.Store store, BeanFactory beans) {
    if (store.useSpringRedis() && store.url() != null) {
      throw new WeirStartupException(
          "weir.store.use-spring-redis: true (expected: not together with weir.store.url)",
          "Keep one of the two.");
    }
    if (store.useSpringRedis()) {
      return settings(springRedis(beans), store);
    }
    String url = store.url();
    return url == null ? embedded(store) : settings(redis(url), store);
  }

  private static WeirBuilder embedded(WeirProperties.Store store) {
    requireRedis("weir.store.deadline", store.deadline());
    requireRedis("weir.store.required", store.required() ? true : null);
    return Weir.builder();
  }

  private static void requireRedis(String property, @Nullable Object value) {
    if (value != null) {
      throw new WeirStartupException(
          property + ": " + value + " (expected: only with Redis)",
          "Set weir.store.url or weir.store.use-spring-redis as well, or leave "
              + property
              + " out.");
    }
  }

  private static WeirBuilder settings(WeirBuilder weir, WeirProperties.Store store) {
    if (store.deadline() != null) {
      try {
        weir.deadline(store.deadline());
      } catch (IllegalArgumentException e) {
        throw new WeirStartupException(
            "weir.store." + e.getMessage(), "Set a deadline such as 25ms.", e);
      }
    }
    return store.required() ? weir.storeRequired() : weir;
  }

  private static WeirBuilder redis(String url) {
    try {
      return Weir.redis(url);
    } catch (IllegalArgumentException e) {
      throw new WeirStartupException("weir.store.url: " + e.getMessage(), URL_REMEDY, e);
    }
  }

  private static WeirBuilder springRedis(BeanFactory beans) {
    String expected = " (expected: an application with Spring Data Redis on Lettuce)";
    String remedy =
        "Add spring-boot-starter-data-redis and its properties, or set weir.store.url instead.";
    if (!ClassUtils.isPresent(SPRING_DATA, WeirFactory.class.getClassLoader())) {
      throw new WeirStartupException("weir.store.use-spring-redis: true" + expected, remedy);
    }
    try {
      return SpringRedis.builder(beans);
    } catch (NoSuchBeanDefinitionException e) {
      throw new WeirStartupException("weir.store.use-spring-redis: true" + expected, remedy, e);
    } catch (IllegalArgumentException e) {
      throw new WeirStartupException(
          "weir.store.use-spring-redis: " + e.getMessage(),
          "Set weir.store.url to the URL of the Redis that is written to, and leave"
              + " weir.store.use-spring-redis out.",
          e);
    }
  }

  private static KeySecret secret(String text) {
    return KeySecret.parse(text)
        .orElseThrow(
            () ->
                new WeirStartupException(
                    "weir.key-secret: *** (expected: 32 hexadecimal digits)",
                    "Make one with: openssl rand -hex 16"));
  }
}

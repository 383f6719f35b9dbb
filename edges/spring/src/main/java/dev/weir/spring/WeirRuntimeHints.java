package dev.weir.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to keep for Weir: the scripts for Redis, and types looked for by name.
 */
final class WeirRuntimeHints implements RuntimeHintsRegistrar {
  static final List<String> SCRIPTS =
      List.of(
          "dev/weir/redis/script/claims.lua",
          "dev/weir/redis/script/takes.lua",
          "dev/weir/redis/script/roster.lua",
          "dev/weir/redis/script/table.lua");

  /** Whether an application has them decides what Weir does. */
  static final List<String> TYPES =
      List.of(
          "dev.weir.spring.webflux.WeirWebFilter",
          "jakarta.servlet.Filter",
          "jakarta.servlet.http.HttpServletRequest",
          "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
          "org.springframework.security.authentication.AnonymousAuthenticationToken",
          "org.springframework.web.server.WebFilter",
          "reactor.netty.Connection",
          "reactor.netty.http.server.HttpServerRequest");

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    SCRIPTS.forEach(hints.resources()::registerPattern);
    TYPES.forEach(name -> hints.reflection().registerTypeIfPresent(loader, name));
    hints
        .reflection()
        .registerTypeIfPresent(
            loader,
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
            MemberCategory.ACCESS_DECLARED_FIELDS);
  }
}

package dev.weir.cli.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Environments as people have them for envoyproxy/ratelimit. */
class RatelimitEnvironmentTest {
  private static RatelimitEnvironment environment(String... pairs) {
    Map<String, String> variables = new HashMap<>(Map.of("RUNTIME_ROOT", "/data"));
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      variables.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return new RatelimitEnvironment(variables);
  }

  @Test
  void anEnvironmentThatWasNotMadeForItIsNotRead() {
    RatelimitEnvironment other =
        new RatelimitEnvironment(Map.of("HOST", "laptop", "PORT", "1", "REDIS_URL", "redis://h"));
    assertThat(other.isPresent()).isFalse();
    assertThat(other.port("PORT", 8080)).isEqualTo(8080);
    assertThat(other.store()).isEmpty();
    assertThat(other.notes()).isEmpty();
  }

  @Test
  void theConfigurationIsBelowTheRoot() {
    assertThat(environment().configuration()).contains(Path.of("/data/config"));
    assertThat(environment("RUNTIME_SUBDIRECTORY=ratelimit").configuration())
        .contains(Path.of("/data/ratelimit/config"));
    assertThat(new RatelimitEnvironment(Map.of("CONFIG_TYPE", "FILE")).configuration())
        .contains(Path.of("/srv/runtime_data/current/config"));
    assertThat(environment("RUNTIME_APPDIRECTORY=limits").configuration())
        .contains(Path.of("/data/limits"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          REDIS_URL=redis:6379 REDIS_SOCKET_TYPE=tcp                                | redis://redis:6379
          REDIS_URL=/run/redis.sock                                                 | redis-socket:///run/redis.sock
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp REDIS_AUTH=p@ss/word                  | redis://:p%40ss%2Fword@r:1
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp REDIS_AUTH=ann:p:w                    | redis://ann:p%3Aw@r:1
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tls                                       | rediss://r:1
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp REDIS_TLS=true REDIS_TLS_CACERT=/ca   | rediss://r:1?ca=%2Fca
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp REDIS_TLS=1 REDIS_TLS_SKIP_HOSTNAME_VERIFICATION=t | rediss://r:1?verify=ca
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp CACHE_KEY_PREFIX=a:                   | redis://r:1?prefix=a%3A
          REDIS_TYPE=CLUSTER REDIS_URL=a:1,b:2                                      | redis-cluster://a:1,b:2
          REDIS_TYPE=cluster REDIS_URL=a:1                                          | redis-cluster://a:1
          REDIS_TYPE=SENTINEL REDIS_URL=main,a:1,b:2                                | redis-sentinel://a:1,b:2?master=main
          REDIS_TYPE=SENTINEL REDIS_URL=main,a:1 REDIS_SENTINEL_AUTH=u:p            | redis-sentinel://a:1?master=main&sentinel-user=u&sentinel-password=p
          REDIS_TYPE=SENTINEL REDIS_URL=main,a:1 REDIS_SENTINEL_AUTH=p              | redis-sentinel://a:1?master=main&sentinel-password=p
          """)
  void redisIsWhereItWas(String variables, String url) {
    RatelimitEnvironment environment = environment(variables.split(" "));
    assertThat(environment.store()).contains(url);
    assertThat(environment.refusals()).isEmpty();
    RedisSettings.parse(url); // makes sense to us
  }

  @Test
  void whatMakesNoSenseIsToldWithoutThePassword() {
    RatelimitEnvironment environment =
        environment(
            "GRPC_PORT=many",
            "PORT=65536",
            "NEAR_LIMIT_RATIO=80",
            "SHADOW_MODE=maybe",
            "REDIS_TYPE=SENTINEL",
            "REDIS_URL=a:1",
            "REDIS_AUTH=s3cret");
    assertThat(environment.port("GRPC_PORT", 8081)).isEqualTo(8081);
    assertThat(environment.port("PORT", 8080)).isEqualTo(8080);
    assertThat(environment.share("NEAR_LIMIT_RATIO", 0.8)).isEqualTo(0.8);
    assertThat(environment.isTrue("SHADOW_MODE")).isFalse();
    assertThat(environment.store()).isEmpty();
    assertThat(environment.refusals())
        .containsExactly(
            "GRPC_PORT: many (expected: a port between 0 and 65535)",
            "PORT: 65536 (expected: a port between 0 and 65535)",
            "NEAR_LIMIT_RATIO: 80 (expected: a number between 0 and 1)",
            "SHADOW_MODE: maybe (expected: true or false)",
            "REDIS_URL: no comma in it (expected: the name of the master, a comma, and Sentinels)");
  }

  @Test
  void whatIsNotUsedIsAnsweredWithWhatIs() {
    assertThat(
            environment(
                    "USE_STATSD=false",
                    "REDIS_POOL_SIZE=10",
                    "REDIS_TIMEOUT=10s",
                    "MEMCACHE_HOST_PORT=h:1",
                    "PATH=/bin",
                    "GRPC_PORT=8081")
                .notes())
        .containsExactly(
            "MEMCACHE_HOST_PORT: not used; counters are in this process or in Redis; see --store",
            "REDIS_POOL_SIZE: not used; one connection to each server carries all requests, in"
                + " batches",
            "REDIS_TIMEOUT: not used; ?deadline=25ms in the URL of --store bounds each decision",
            "USE_STATSD: not used; metrics are on the administration port, in Prometheus' format;"
                + " see --metrics");
  }
}

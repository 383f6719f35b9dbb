package dev.weir.cli.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.log.LogLevel;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.rls.RlsSettings;
import dev.weir.testkit.TestCertificate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Typical environments of envoyproxy/ratelimit. */
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
  void environmentOfAnotherProgramIsIgnored() {
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
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp REDIS_TLS=1 REDIS_TLS_SKIP_HOSTNAME_VERIFICATION=t | rediss://r:1?verify=ca
          REDIS_URL=r:1 REDIS_SOCKET_TYPE=tcp CACHE_KEY_PREFIX=a:                   | redis://r:1?prefix=a%3A
          REDIS_URL=redis://r:1 REDIS_SOCKET_TYPE=tcp                               | redis://r:1
          REDIS_URL=redis://r:1                                                     | redis://r:1
          REDIS_URL=redis://r:1/                                                    | redis://r:1
          REDIS_URL=redis://ann:p%40ss@r:1/3                                        | redis://ann:p%40ss@r:1?database=3
          REDIS_URL=redis://:a/b@r:1                                                | redis://:a%2Fb@r:1
          REDIS_URL=redis://r:1?username=ann&password=p&db=2                        | redis://ann:p@r:1?database=2
          REDIS_URL=redis://ann:no@r:1 REDIS_AUTH=yes                               | redis://ann:yes@r:1
          REDIS_URL=redis://[::1]:1 REDIS_TLS=true                                  | rediss://[::1]:1
          REDIS_URL=rediss://r:1                                                    | rediss://r:1
          REDIS_TYPE=CLUSTER REDIS_URL=redis://a:1,redis://b:2                      | redis-cluster://a:1,b:2
          REDIS_TYPE=SENTINEL REDIS_URL=main,redis://u:p@a:1,redis://b:2            | redis-sentinel://a:1,b:2?master=main&sentinel-user=u&sentinel-password=p
          REDIS_TYPE=CLUSTER REDIS_URL=a:1,b:2                                      | redis-cluster://a:1,b:2
          REDIS_TYPE=cluster REDIS_URL=a:1                                          | redis-cluster://a:1
          REDIS_TYPE=SENTINEL REDIS_URL=main,a:1,b:2                                | redis-sentinel://a:1,b:2?master=main
          REDIS_TYPE=SENTINEL REDIS_URL=main,a:1 REDIS_SENTINEL_AUTH=u:p            | redis-sentinel://a:1?master=main&sentinel-user=u&sentinel-password=p
          REDIS_TYPE=SENTINEL REDIS_URL=main,a:1 REDIS_SENTINEL_AUTH=p              | redis-sentinel://a:1?master=main&sentinel-password=p
          """)
  void redisVariablesBecomeAStoreUrl(String variables, String url) {
    RatelimitEnvironment environment = environment(variables.split(" "));
    assertThat(environment.store()).contains(url);
    assertThat(environment.problems()).isEmpty();
    RedisSettings.parse(url); // does not throw
  }

  @Test
  void tlsFilesForRedisAreRead(@TempDir Path directory) throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", "RSA");
    Path key = own.olderKey();
    RatelimitEnvironment good =
        environment(
            "REDIS_URL=redis://r:1",
            "REDIS_TLS=true",
            "REDIS_TLS_CACERT=" + own.certificate(),
            "REDIS_TLS_CLIENT_CERT=" + own.certificate(),
            "REDIS_TLS_CLIENT_KEY=" + key);
    RedisSettings settings = RedisSettings.parse(good.store().orElseThrow());
    assertThat(good.problems()).isEmpty();
    assertThat(settings.tls())
        .isNotNull()
        .extracting(RedisSettings.Tls::ca, RedisSettings.Tls::certificate, RedisSettings.Tls::key)
        .containsExactly(own.certificate(), own.certificate(), key);
  }

  @Test
  void unreadableKeyIsReportedByItsVariable(@TempDir Path directory) throws Exception {
    TestCertificate own = TestCertificate.make(directory, "own", "EC");
    RatelimitEnvironment bad =
        environment(
            "REDIS_URL=r:1",
            "REDIS_SOCKET_TYPE=tls",
            "REDIS_TLS_CLIENT_CERT=" + own.certificate(),
            "REDIS_TLS_CLIENT_KEY=" + own.certificate());
    bad.store();
    assertThat(bad.problems())
        .containsExactly(
            "REDIS_TLS_CLIENT_KEY: "
                + own.certificate()
                + ": no private key (expected: PKCS#8, PKCS#1 or SEC1 in PEM, without a"
                + " passphrase)");
    RatelimitEnvironment missing =
        environment("REDIS_URL=rediss://r:1", "REDIS_TLS_CACERT=none.pem");
    missing.store();
    assertThat(missing.problems())
        .containsExactly("REDIS_TLS_CACERT: none.pem: cannot be read (expected: a PEM file)");
  }

  @Test
  void unsupportedBackendIsRefused() {
    RatelimitEnvironment memcache = environment("BACKEND_TYPE=memcache", "REDIS_URL=r:1");
    assertThat(memcache.store()).isEmpty();
    assertThat(memcache.problems())
        .containsExactly(
            "BACKEND_TYPE: memcache (expected: redis, and REDIS_URL; or --store, which sets the"
                + " store)");
    assertThat(environment("BACKEND_TYPE=redis", "REDIS_URL=redis://r:1").store())
        .contains("redis://r:1");
  }

  @Test
  void unsupportedAddressIsReportedWithoutThePassword() {
    RatelimitEnvironment other = environment("REDIS_URL=tcp://:s3cret@r:1");
    assertThat(other.store()).isEmpty();
    assertThat(other.problems())
        .containsExactly(
            "REDIS_URL: unsupported address (expected: host:port, or redis://host:port)");
  }

  @Test
  void variablesConfigureHealth() {
    assertThat(environment().rls().health()).isEqualTo(new RlsSettings.Health(true, false, false));
    assertThat(
            environment(
                    "FORCE_START_WITHOUT_INITIAL_CONFIG=true",
                    "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED=true",
                    "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION=true")
                .rls()
                .health())
        .isEqualTo(new RlsSettings.Health(false, true, true));
  }

  @Test
  void plainErrorsNeedVariablesOfEnvoyproxyRatelimit() {
    assertThat(environment().rls().plainErrors()).isTrue();
    assertThat(new RatelimitEnvironment(Map.of("PORT", "1")).rls().plainErrors()).isFalse();
  }

  @Test
  void invalidVariablesAreReportedWithoutThePassword() {
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
    assertThat(environment.ratio("NEAR_LIMIT_RATIO", 0.8)).isEqualTo(0.8);
    assertThat(environment.isTrue("SHADOW_MODE")).isFalse();
    assertThat(environment.store()).isEmpty();
    assertThat(environment.problems())
        .containsExactly(
            "GRPC_PORT: many (expected: a port between 0 and 65535)",
            "PORT: 65536 (expected: a port between 0 and 65535)",
            "NEAR_LIMIT_RATIO: 80 (expected: a number between 0 and 1)",
            "SHADOW_MODE: maybe (expected: true or false)",
            "REDIS_URL: no comma (expected: the name of the master, a comma, and Sentinels)");
  }

  @Test
  void unusedVariablesAreReportedWithTheirReplacement() {
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
            "REDIS_TIMEOUT: not used; ?deadline=25ms in the URL of --store bounds each call to Redis",
            "USE_STATSD: not used; Prometheus fetches metrics: USE_PROMETHEUS=true puts them on port"
                + " 9090, for all clients; those on the administration port are for this machine");
  }

  @Test
  void logLevelsOfEnvoyproxyRatelimitAreUnderstood() {
    for (String severe : List.of("error", "fatal", "PANIC")) {
      assertThat(
              new RatelimitEnvironment(Map.of("USE_STATSD", "0", "LOG_LEVEL", severe)).logLevel())
          .isEqualTo(LogLevel.ERROR);
    }
    assertThat(new RatelimitEnvironment(Map.of("USE_STATSD", "0")).logLevel())
        .isEqualTo(LogLevel.INFO);
    assertThat(new RatelimitEnvironment(Map.of("LOG_LEVEL", "debug")).logLevel())
        .as("the environment of another program")
        .isEqualTo(LogLevel.INFO);
  }
}

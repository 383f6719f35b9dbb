package dev.weir.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.redis.connection.RedisSettings.Node;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {
  @Test
  void hostAloneHasDefaults() {
    RedisSettings settings = RedisSettings.parse("redis://localhost");
    assertThat(settings.kind()).isEqualTo(Kind.STANDALONE);
    assertThat(settings.nodes()).containsExactly(new Node("localhost", 6379));
    assertThat(settings.deadline()).isEqualTo(Duration.ofMillis(25));
    assertThat(settings.tls()).isNull();
    assertThat(settings.password()).isNull();
  }

  @Test
  void allPartsAndOptionsAreParsed() {
    RedisSettings settings =
        RedisSettings.parse(
            "rediss://ann:p%40ss%3A+w@[::1]:7000/3?deadline=1s&queue=5&batch=7&in-flight=2"
                + "&prefix=limits:&ca=/ca.pem&cert=/c.pem&key=/k.pem&verify=none"
                + "&connect-timeout=300ms");
    assertThat(settings.nodes()).containsExactly(new Node("::1", 7000));
    assertThat(settings.user()).isEqualTo("ann");
    assertThat(settings.password()).isEqualTo("p@ss:+w");
    assertThat(settings.database()).isEqualTo(3);
    assertThat(settings.deadline()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofMillis(300));
    assertThat(settings.queue()).isEqualTo(5);
    assertThat(settings.batch()).isEqualTo(7);
    assertThat(settings.inFlight()).isEqualTo(2);
    assertThat(settings.prefix()).isEqualTo("limits:");
    assertThat(settings.tls())
        .isEqualTo(
            new RedisSettings.Tls(
                Path.of("/ca.pem"),
                Path.of("/c.pem"),
                Path.of("/k.pem"),
                RedisSettings.Verify.NONE));
    assertThat(settings).hasToString("standalone [::1]:7000");
  }

  @Test
  void passwordWithoutUserIsParsed() {
    for (String url : List.of("redis://:secret@h", "redis://secret@h")) {
      assertThat(RedisSettings.parse(url).user()).isNull();
      assertThat(RedisSettings.parse(url).password()).isEqualTo("secret");
    }
  }

  @Test
  void sentinelAndClusterUrlsAreParsed() {
    for (String url :
        List.of("redis-sentinel://a,b:1,c/2?master=main", "redis-sentinel://a,b:1,c/2#main")) {
      RedisSettings settings = RedisSettings.parse(url);
      assertThat(settings.kind()).isEqualTo(Kind.SENTINEL);
      assertThat(settings.master()).isEqualTo("main");
      assertThat(settings.database()).isEqualTo(2);
      assertThat(settings.nodes())
          .containsExactly(new Node("a", 26379), new Node("b", 1), new Node("c", 26379));
    }
    RedisSettings cluster = RedisSettings.parse("rediss-cluster://a:1,b:2");
    assertThat(cluster.kind()).isEqualTo(Kind.CLUSTER);
    assertThat(cluster.tls()).isNotNull();
  }

  @Test
  void socketUrlIsParsed() {
    RedisSettings settings = RedisSettings.parse("redis-socket:///run/redis.sock?database=1");
    assertThat(settings.socket()).isEqualTo(Path.of("/run/redis.sock"));
    assertThat(settings.database()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redis                          | store: this (expected: a URL, such as redis://localhost:6379)
          http://h                       | scheme: http (expected: redis://, rediss://,
          redis://                       | host: none (expected: a host, and its port after a colon)
          redis://:hunter2               | host: none (expected: a host, and its port after a colon)
          redis://weir:hunter2           | port: not a number (expected: between 1 and 65535; and @ after a password)
          redis://weir:12345678          | port: not a number (expected
          redis://h:0                    | port: 0 (expected: a number between 1 and 65535)
          redis://h:65536                | port: 65536 (expected
          redis://h:6379x                | port: not a number (expected
          redis://a,b                    | hosts: several (expected: one host; or redis-sentinel:// or
          redis://h/x                    | database: x (expected: a number between 0 and
          redis://h/-1                   | database: -1 (expected
          redis://h?deadlin=1s           | option: deadlin (expected: one of batch, ca, cert,
          redis://h?deadline=1           | deadline: 1 (expected: a time such as 25ms or 1s
          redis://h?deadline=0ms         | deadline: 0ms (expected
          redis://h?deadline=99999s      | deadline: 99999s (expected
          redis://h?deadline             | option: deadline (expected: each option once, with a value)
          redis://h?queue=1&queue=2      | option: queue (expected: each option once
          redis://h?batch=0              | batch: 0 (expected: a number between 1 and 1000)
          redis://h?prefix={x}           | prefix: {x} (expected: letters, digits
          redis://h?master=m             | master: m (expected: only with redis-sentinel://)
          redis-sentinel://h             | master: none (expected: the name of the master at the Sentinels
          redis-cluster://h/1            | database: 1 (expected: 0, the only one a cluster has)
          redis://h?ca=x                 | option: ca (expected: only with rediss://
          rediss://h?cert=x              | option: cert (expected: cert and key together)
          rediss://h?verify=maybe        | verify: maybe (expected: full, ca or none)
          redis://h?sentinel-password=x  | option: sentinel-password (expected: only with redis-sentinel://)
          redis-sentinel://h?master=m&sentinel-user=x | option: sentinel-user (expected: sentinel-password with it)
          redis-socket://h/x             | socket: a host (expected: redis-socket:///path/to/socket)
          redis://h h                    | host: h h (expected: a host
          redis://h?prefix=%zz           | store: an invalid % escape (expected: two
          """)
  void invalidUrlIsRejected(String url, String message) {
    assertThatThrownBy(() -> RedisSettings.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://ann:secret@h:x",
        "redis://ann:secret@h?x=y",
        "ftp://ann:secret@h",
        "redis://ann:secret@",
        "redis:/ann:secret@h",
        "redis://ann:sec%zzret@h",
        "redis://ann:secret@h@i",
        "redis://ann:secret/x@h",
        "redis://ann:x/secret@h",
        "redis://ann:x#secret@h",
        "redis://ann:x?secret@h",
        "redis://ann:x@y/secret@h",
      })
  void messageNeverContainsThePassword(String url) {
    assertThatThrownBy(() -> RedisSettings.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("secret")
        .doesNotContain("ret@");
  }
}

package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One real server, started, controlled and ended. */
class RedisServerTest {
  @ParameterizedTest
  @EnumSource
  void answersCommands(Binaries binary) {
    try (RedisServer redis = RedisServer.start(binary.get())) {
      assertThat(redis.url()).isEqualTo("redis://127.0.0.1:" + redis.port());
      assertThat(redis.info("server", "redis_version")).isEqualTo(binary.get().version());
      assertThat(redis.text("SET", "k", "v")).isEqualTo("OK");
      assertThat(redis.command("GET", "k")).isEqualTo("v");
      assertThat(redis.command("GET", "none")).isNull();
      assertThat(redis.number("INCRBY", "n", "7")).isEqualTo(7);
      assertThat(redis.list("MGET", "k", "n")).isEqualTo(List.of("v", "7"));
      assertThatExceptionOfType(RedisErrorException.class)
          .isThrownBy(() -> redis.command("LPUSH", "k", "x"))
          .withMessageStartingWith("WRONGTYPE ");
      assertThatIllegalStateException()
          .isThrownBy(() -> redis.number("GET", "none"))
          .withMessage("GET none: null (expected: a Long)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void restartsAfterAKillWithoutItsData(Binaries binary) {
    try (RedisServer redis = RedisServer.start(binary.get())) {
      redis.command("SET", "k", "v");
      redis.kill();
      assertThat(redis.isRunning()).isFalse();
      assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> redis.command("PING"));
      redis.restart();
      assertThat(redis.command("GET", "k")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsDataIfConfiguredTo(Binaries binary) {
    try (RedisServer redis =
        RedisServer.start(binary.get(), "appendonly yes", "appendfsync always")) {
      redis.command("SET", "k", "v");
      redis.restart();
      assertThat(redis.command("GET", "k")).isEqualTo("v");
    }
  }

  @ParameterizedTest
  @EnumSource
  void doesNotAnswerWhilePaused(Binaries binary) {
    try (RedisServer redis = RedisServer.start(binary.get());
        RespConnection before = redis.connect()) {
      redis.pause();
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> redis.command("PING"))
          .withMessageContaining("timed out");
      redis.resume();
      assertThat(before.command("PING")).isEqualTo("PONG");
    }
  }

  @ParameterizedTest
  @EnumSource
  void reportsItsCpuTime(Binaries binary) {
    try (RedisServer redis = RedisServer.start(binary.get())) {
      long before = redis.cpuMicros();
      redis.command("EVAL", "for i = 1, 3000000 do end", "0");
      assertThat(redis.cpuMicros() - before).isBetween(1_000L, 2_000_000L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void leavesNothingBehind(Binaries binary) {
    RedisServer running = RedisServer.start(binary.get());
    RedisServer paused = RedisServer.start(binary.get(), "unixsocket redis.sock");
    assertThat(paused.directory().resolve("redis.sock")).exists();
    paused.pause();
    for (RedisServer redis : List.of(running, paused)) {
      assertThat(redis.isRunning()).isTrue();
      redis.close();
      assertThat(redis.isRunning()).isFalse();
      assertThat(redis.directory()).doesNotExist();
      redis.close();
      assertThatIllegalStateException()
          .isThrownBy(redis::restart)
          .withMessageStartingWith("closed: ");
    }
  }

  @Test
  void authenticatesToAServerWithAPassword() {
    try (RedisServer redis = RedisServer.start("requirepass secret")) {
      assertThat(redis.text("PING")).isEqualTo("PONG");
      try (RespConnection stranger = RespConnection.open(redis.port(), RedisServer.REPLY)) {
        assertThatExceptionOfType(RedisErrorException.class)
            .isThrownBy(() -> stranger.command("PING"))
            .withMessageStartingWith("NOAUTH ");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStartThatFailsShowsTheLog(Binaries binary) {
    RedisBinary redis = binary.get();
    assertThatIllegalStateException()
        .isThrownBy(() -> RedisServer.start(redis, "maxmemory plenty"))
        .withMessageContaining("maxmemory plenty");
  }

  /** Starts a server and ends without closing it. */
  static final class WithoutClose {
    private WithoutClose() {}

    public static void main(String[] args) {
      RedisServer redis = RedisServer.start();
      System.out.println(redis.info("server", "process_id") + " " + redis.directory());
      System.exit(Integer.parseInt(args[0]));
    }
  }

  @Test
  void noServerOutlivesTheJvm() throws Exception {
    Path out = Files.createTempFile("weir", "careless");
    try {
      Process jvm =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  WithoutClose.class.getName(),
                  "7")
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      assertThat(jvm.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(jvm.exitValue()).as(Files.readString(out)).isEqualTo(7);
      String[] output = Files.readString(out).strip().split(" ", 2);
      assertThat(ProcessHandle.of(Long.parseLong(output[0]))).isEmpty();
      assertThat(Path.of(output[1])).doesNotExist();
    } finally {
      Files.delete(out);
    }
  }
}

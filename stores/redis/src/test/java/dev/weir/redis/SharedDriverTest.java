package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.contract.RunningRedis;
import dev.weir.testkit.Ports;
import dev.weir.testkit.TestCertificate;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.event.connection.ConnectionActivatedEvent;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores on the threads of a client that the application has already. */
@Timeout(300)
class SharedDriverTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  private static RedisStore on(RedisClient client, RedisServer redis) {
    RedisSettings settings = RedisSettings.parse(redis.url() + "?deadline=5s");
    return RedisStore.connect(settings, RedisDriver.sharing(client), Continuations.shared());
  }

  /** The threads of drivers, but for those that run events: these start one by one. */
  private static Set<String> driverThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("lettuce-") && !name.contains("eventExecutorLoop"))
        .collect(Collectors.toSet());
  }

  @Test
  void clientIsUntouchedByAStoreThatUsesItsThreads() {
    ClientResources resources = ClientResources.builder().ioThreadPoolSize(2).build();
    try (RedisServer redis = RedisServer.start();
        RedisClient client = RedisClient.create(resources, redis.url());
        StatefulRedisConnection<String, String> first = client.connect();
        StatefulRedisConnection<String, String> second = client.connect()) {
      first.sync().set("mine", "kept");
      second.sync().ping();
      Set<String> before = driverThreads();
      ClientOptions options = client.getOptions();
      try (RedisStore store = on(client, redis);
          RedisStore other = on(client, redis)) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
        assertThat(other.take(CLAIM).join().remaining()).isEqualTo(8);
        assertThat(driverThreads()).isEqualTo(before);
        assertThat(client.getOptions()).isSameAs(options);
      }
      assertThat(first.sync().get("mine")).isEqualTo("kept");
      try (StatefulRedisConnection<String, String> third = client.connect()) {
        assertThat(third.sync().ping()).isEqualTo("PONG");
      }
      assertThat(driverThreads()).as("nothing was shut down").isEqualTo(before);
    } finally {
      resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  @Test
  void storeReconnectsSoonHoweverPatientTheClientIs() {
    ClientResources resources =
        ClientResources.builder().reconnectDelay(Delay.constant(Duration.ofDays(1))).build();
    try (RedisServer redis = RedisServer.start();
        RedisClient client = RedisClient.create(resources);
        RedisStore store = on(client, redis)) {
      assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
      redis.restart();
      Await.until(
          "an answer after the restart",
          LONG,
          () ->
              store
                  .take(CLAIM)
                  .stage()
                  .handle((done, failure) -> failure == null)
                  .toCompletableFuture()
                  .join());
      assertThat(store.take(CLAIM).join().remaining()).isEqualTo(8);
    } finally {
      resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  @Test
  void customizersAndSubscribersOfTheClientSeeTheConnectionOfTheStore() {
    AtomicInteger channels = new AtomicInteger();
    Queue<String> connected = new ConcurrentLinkedQueue<>();
    ClientResources resources =
        ClientResources.builder()
            .nettyCustomizer(
                new NettyCustomizer() {
                  @Override
                  public void afterChannelInitialized(Channel channel) {
                    channels.incrementAndGet();
                  }
                })
            .build();
    var subscription =
        resources
            .eventBus()
            .get()
            .ofType(ConnectionActivatedEvent.class)
            .subscribe(event -> connected.add(event.remoteAddress().toString()));
    try (RedisServer redis = RedisServer.start();
        RedisClient client = RedisClient.create(resources);
        RedisStore store = on(client, redis)) {
      assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
      assertThat(channels.get()).isEqualTo(1);
      Await.until("the event", LONG, () -> connected.size() == 1);
      assertThat(connected.peek()).endsWith(":" + redis.port());
    } finally {
      subscription.dispose();
      resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  @Test
  void clusterIsUsedOnTheThreadsOfAClientToo() {
    try (RunningRedis cluster = RunningRedis.cluster(RedisBinary.chosen());
        RedisClient client = RedisClient.create();
        RedisStore store =
            RedisStore.connect(
                cluster.settings(), RedisDriver.sharing(client), Continuations.shared())) {
      assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
    }
  }

  @Test
  void tlsOptionsOfTheClientApplyIfTheUrlNamesNoFiles(@TempDir Path directory) throws Exception {
    RedisBinary program = Binaries.PATH.get();
    TestCertificate server = TestCertificate.make(directory, "server", "RSA");
    int port = Ports.free();
    try (RedisServer redis =
            RedisServer.start(
                program,
                "tls-port " + port,
                "tls-auth-clients no",
                "tls-cert-file " + server.certificate(),
                "tls-key-file " + server.key(),
                "tls-ca-cert-file " + server.certificate());
        RedisClient client = RedisClient.create()) {
      SslOptions trusting =
          SslOptions.builder().jdkSslProvider().trustManager(server.certificate().toFile()).build();
      client.setOptions(ClientOptions.builder().sslOptions(trusting).build());
      RedisSettings settings = RedisSettings.parse("rediss://localhost:" + port + "?deadline=5s");
      try (RedisStore store =
          RedisStore.connect(settings, RedisDriver.sharing(client), Continuations.shared())) {
        assertThat(store.take(CLAIM).join().remaining()).isEqualTo(9);
        assertThat(redis.number("DBSIZE")).isEqualTo(1);
      }
    }
  }
}

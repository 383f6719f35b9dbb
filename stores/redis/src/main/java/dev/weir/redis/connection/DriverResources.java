package dev.weir.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.event.DefaultEventBus;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.event.Event;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Makes the resources of connections: threads, hooks, and how soon a connection is tried again. */
final class DriverResources {
  /** Finds a returning server within half a second; the default of Lettuce is 30 seconds. */
  private static final Delay RECONNECT_DELAY =
      Delay.exponential(Duration.ofMillis(10), Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS);

  private DriverResources() {}

  /**
   * Resources, which may be shut down without an effect on an existing client.
   *
   * @param existing shares its resources; null for resources of their own
   * @param onChannel is called with every new channel, before it connects
   */
  static ClientResources of(@Nullable AbstractRedisClient existing, Consumer<Channel> onChannel) {
    ClientResources.Builder builder = ClientResources.builder().reconnectDelay(RECONNECT_DELAY);
    ClientResources shared = existing == null ? null : existing.getResources();
    if (shared != null) {
      share(shared, builder);
    }
    NettyCustomizer first = shared == null ? new NettyCustomizer() {} : shared.nettyCustomizer();
    return builder.nettyCustomizer(new Customizer(first, onChannel)).build();
  }

  /**
   * Shares what is set here and shuts none of it down. A copy by {@code mutate()} would not do: it
   * starts event loops of its own, and shuts down the executors and the timer of the original.
   */
  private static void share(ClientResources shared, ClientResources.Builder builder) {
    builder
        .eventLoopGroupProvider(shared.eventLoopGroupProvider())
        .eventExecutorGroup(shared.eventExecutorGroup())
        .timer(shared.timer())
        .socketAddressResolver(shared.socketAddressResolver())
        .addressResolverGroup(shared.addressResolverGroup())
        .commandLatencyRecorder(shared.commandLatencyRecorder())
        // The client publishes latencies already; a second publisher would take them from it.
        .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
        .eventBus(new ForwardingEventBus(shared));
  }

  /** Calls the customizer of the client, and then ours. */
  private record Customizer(NettyCustomizer first, Consumer<Channel> onChannel)
      implements NettyCustomizer {
    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
      first.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      first.afterChannelInitialized(channel);
      onChannel.accept(channel);
    }
  }

  /** Publishes our events on the bus of the client too, but receives none of the client. */
  private static final class ForwardingEventBus implements EventBus {
    private final EventBus own;
    private final EventBus shared;

    ForwardingEventBus(ClientResources resources) {
      this.own =
          new DefaultEventBus(Schedulers.fromExecutorService(resources.eventExecutorGroup()));
      this.shared = resources.eventBus();
    }

    @Override
    public Flux<Event> get() {
      return own.get();
    }

    @Override
    public void publish(Event event) {
      own.publish(event);
      shared.publish(event);
    }
  }
}

package dev.weir.redis.connection;

import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The current credentials, which are renewed before every handshake.
 *
 * <p><b>How.</b> A {@linkplain #handler handler} at the head of each channel holds back the news
 * that the channel is connected until the supplier has answered on a thread of its own. Only then
 * the driver begins its handshake, for which the credentials are there.
 *
 * <p><b>Why.</b> The driver could ask a provider by itself, but it also does so wherever it prints
 * an address, and blocks the thread that does: an event loop, if a node of a cluster is new.
 *
 * <p>Thread-safe.
 */
final class CredentialsSource implements ImmediateRedisCredentialsProvider {
  private static final Logger LOG = System.getLogger(CredentialsSource.class.getName());

  /** Less than a handshake may take: a slow supplier does not keep a connection from its turn. */
  private static final long MAX_WAIT_MILLIS = 1_000;

  private final Supplier<RedisCredentials> supplier;
  private volatile io.lettuce.core.RedisCredentials current;
  private @Nullable CompletableFuture<Void> renewal;
  private volatile boolean failing;

  /**
   * Asks for the first credentials, on this thread.
   *
   * @throws RuntimeException if the supplier throws one, or supplies nothing
   */
  CredentialsSource(Supplier<RedisCredentials> supplier) {
    this.supplier = supplier;
    this.current = ask();
  }

  private io.lettuce.core.RedisCredentials ask() {
    RedisCredentials answer = supplier.get();
    if (answer == null) {
      throw new IllegalArgumentException("null (expected: a password)");
    }
    return io.lettuce.core.RedisCredentials.just(answer.user(), answer.password());
  }

  @Override
  public io.lettuce.core.RedisCredentials resolveCredentialsNow() {
    return current;
  }

  /** Asks for credentials on another thread; callers that come meanwhile share the answer. */
  private synchronized CompletableFuture<Void> renew() {
    if (renewal == null) {
      CompletableFuture<Void> started = new CompletableFuture<>();
      renewal = started;
      Thread thread = new Thread(() -> askFor(started), "weir-credentials");
      thread.setDaemon(true);
      thread.start();
    }
    return renewal;
  }

  private void askFor(CompletableFuture<Void> started) {
    try {
      current = ask();
      failing = false;
    } catch (Throwable e) { // errors too: connections wait for this thread
      if (!failing) {
        failing = true;
        LOG.log(Level.WARNING, "Failed to renew the credentials of Redis; using the last ones", e);
      }
    } finally {
      synchronized (this) {
        renewal = null;
      }
      started.complete(null);
    }
  }

  /** A handler for the head of a new channel. */
  ChannelHandler handler() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelActive(ChannelHandlerContext context) {
        var unused =
            renew()
                .copy()
                .completeOnTimeout(null, MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .thenRunAsync(context::fireChannelActive, context.executor());
      }
    };
  }
}

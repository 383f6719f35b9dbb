package dev.weir.spring.webflux;

import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

/**
 * The thread on which a request goes on once a shared store has answered: the event loop of its
 * connection where there is one, as if the request had never waited.
 */
final class RequestThread {
  private static final boolean NETTY =
      ClassUtils.isPresent("reactor.netty.Connection", RequestThread.class.getClassLoader());

  private RequestThread() {}

  static Executor of(ServerHttpRequest request) {
    if (NETTY) {
      EventLoop loop = Netty.eventLoop(request);
      if (loop != null) {
        return loop;
      }
    }
    return task -> Schedulers.parallel().schedule(task);
  }

  /** Loaded only where Reactor Netty is there. */
  private static final class Netty {
    static @Nullable EventLoop eventLoop(ServerHttpRequest request) {
      Object received = ReceivedRequest.nativeRequest(request);
      return received instanceof Connection connection ? connection.channel().eventLoop() : null;
    }
  }
}

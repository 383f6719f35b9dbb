package dev.weir.benchmarks.spring;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Measures the other filters alone: a request for {@value #PATH} calls them many times, with nothing
 * behind them, and is answered with the nanoseconds of CPU time and the bytes allocated for a call.
 */
@Component
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class FilterCost implements WebFilter, Ordered {
  private static final String PATH = "/cost";
  private static final int CALLS = 5_000;
  private static final int BATCHES = 40;
  private static final WebFilterChain NOTHING = exchange -> Mono.empty();

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final ObjectProvider<WebFilter> filters;

  FilterCost(ObjectProvider<WebFilter> filters) {
    this.filters = filters;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (!exchange.getRequest().getPath().value().equals(PATH)) {
      return chain.filter(exchange);
    }
    String result = measure(exchange);
    exchange.getResponse().getHeaders().clear();
    byte[] body = result.getBytes(StandardCharsets.US_ASCII);
    return exchange
        .getResponse()
        .writeWith(Mono.just(exchange.getResponse().bufferFactory().wrap(body)));
  }

  /** The median of batches, most of which run after the code is compiled. */
  private String measure(ServerWebExchange exchange) {
    List<WebFilter> others = filters.orderedStream().filter(one -> one != this).toList();
    long[] nanos = new long[BATCHES];
    long[] bytes = new long[BATCHES];
    for (int batch = 0; batch < BATCHES; batch++) {
      long cpu = threads.getCurrentThreadCpuTime();
      long allocated = threads.getCurrentThreadAllocatedBytes();
      for (int call = 0; call < CALLS; call++) {
        exchange.getAttributes().clear(); // a filter does not work twice for one request
        for (WebFilter other : others) {
          other.filter(exchange, NOTHING).subscribe();
        }
      }
      nanos[batch] = (threads.getCurrentThreadCpuTime() - cpu) / CALLS;
      bytes[batch] = (threads.getCurrentThreadAllocatedBytes() - allocated) / CALLS;
    }
    return median(nanos) + " " + median(bytes);
  }

  private static long median(long[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}

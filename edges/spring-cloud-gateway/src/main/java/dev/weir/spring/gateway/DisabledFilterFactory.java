package dev.weir.spring.gateway;

import java.util.List;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;

/** The filter {@code Weir} of routes, which lets every request pass. */
final class DisabledFilterFactory
    extends AbstractGatewayFilterFactory<WeirGatewayFilterFactory.Config> {
  DisabledFilterFactory() {
    super(WeirGatewayFilterFactory.Config.class);
  }

  @Override
  public String name() {
    return "Weir";
  }

  @Override
  public List<String> shortcutFieldOrder() {
    return List.of("rule");
  }

  @Override
  public GatewayFilter apply(WeirGatewayFilterFactory.Config config) {
    return (exchange, chain) -> chain.filter(exchange);
  }
}

package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.annotation.AliasFor;

/** Where annotations may be, and what kinds of proxies see them. */
@Timeout(120)
class ProxiesTest {
  private static final List<String> ONCE = List.of("calls.once.limit=1/hour");

  private static void assertOnce(Consumer<String> call) {
    String key = UUID.randomUUID().toString();
    call.accept(key);
    assertThatThrownBy(() -> call.accept(key)).isInstanceOf(RateLimitedException.class);
    call.accept(key + " of another");
  }

  /** An annotated interface. */
  interface Sender {
    @RateLimited(name = "once", key = "#tenant")
    void send(String tenant);

    /** Has a body of its own. */
    @RateLimited(name = "once", key = "'default ' + #tenant")
    default void sendByDefault(String tenant) {}
  }

  /** Names its parameter differently. */
  static class SenderBean implements Sender {
    @Override
    public void send(String to) {}
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void annotationsOfInterfacesCountForClassProxiesAndInterfaceProxies(boolean ofClass) {
    List<String> properties = new ArrayList<>(ONCE);
    properties.add("spring.aop.proxy-target-class=" + ofClass);
    try (ConfigurableApplicationContext context = Contexts.start(properties, SenderBean.class)) {
      Sender sender = context.getBean(Sender.class);
      assertThat(AopUtils.isCglibProxy(sender)).isEqualTo(ofClass);
      assertOnce(sender::send);
      assertOnce(sender::sendByDefault);
    }
  }

  /** Makes a client as frameworks make them of interfaces. */
  @Configuration
  static class Client {
    @Bean
    Sender client() {
      return (Sender)
          Proxy.newProxyInstance(
              Sender.class.getClassLoader(),
              new Class<?>[] {Sender.class},
              (proxy, method, args) -> null);
    }
  }

  @Test
  void clientsMadeOfInterfacesAreLimited() {
    try (ConfigurableApplicationContext context = Contexts.start(ONCE, Client.class)) {
      assertOnce(context.getBean(Sender.class)::send);
    }
  }

  /** A generic base. */
  abstract static class Handler<T> {
    @RateLimited(name = "once", key = "#item.toString()", fallback = "ignore")
    public String handle(T item) {
      return "handled " + item;
    }

    public abstract String convert(T item);

    String ignore(T item) {
      return "ignored " + item;
    }
  }

  /** Has a bridge method for {@code convert}. */
  static class NumberHandler extends Handler<Integer> {
    @Override
    @RateLimited(name = "once", key = "'convert ' + #item")
    public String convert(Integer item) {
      return "converted " + item;
    }
  }

  @Test
  void genericAndBridgeMethodsAreLimitedOnce() {
    try (ConfigurableApplicationContext context = Contexts.start(ONCE, NumberHandler.class)) {
      @SuppressWarnings("unchecked")
      Handler<Integer> handler = context.getBean(Handler.class);
      assertThat(handler.handle(1)).isEqualTo("handled 1");
      assertThat(handler.handle(1)).isEqualTo("ignored 1");
      assertThat(handler.convert(2)).isEqualTo("converted 2");
      assertThatThrownBy(() -> handler.convert(2)).isInstanceOf(RateLimitedException.class);
    }
  }

  /** An annotation of the application. */
  @Target({ElementType.METHOD, ElementType.TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @RateLimited(name = "once", key = "#a0")
  @interface OncePerTenant {
    @AliasFor(annotation = RateLimited.class, attribute = "cost")
    String permits() default "1";
  }

  /** Annotated as a class. */
  @OncePerTenant
  static class Composed {
    public void any(String tenant) {}

    public void other(String tenant) {}

    @RateLimited(name = "twice", key = "#tenant")
    public void twice(String tenant) {}

    @OncePerTenant(permits = "2")
    public void expensive(String tenant) {}

    void hidden(String tenant) {}
  }

  @Test
  void annotationOfAClassIsForItsPublicMethodsAndThatOfAMethodTakesPrecedence() {
    List<String> properties = List.of("calls.once.limit=1/hour", "calls.twice.limit=2/hour");
    try (ConfigurableApplicationContext context = Contexts.start(properties, Composed.class)) {
      Composed bean = context.getBean(Composed.class);
      bean.any("acme");
      assertThatThrownBy(() -> bean.other("acme")).isInstanceOf(RateLimitedException.class);
      bean.twice("acme");
      bean.twice("acme");
      assertThatThrownBy(() -> bean.twice("acme")).isInstanceOf(RateLimitedException.class);
      assertThatThrownBy(() -> bean.expensive("globex")).hasMessageContaining("COST_ABOVE_LIMIT");
      bean.hidden("acme");
      assertThat(bean.toString()).contains("Composed");
    }
  }

  /** Calls itself. */
  static class Caller {
    private final ObjectProvider<Caller> proxy;
    int calls;

    Caller(ObjectProvider<Caller> proxy) {
      this.proxy = proxy;
    }

    @RateLimited(name = "once", key = "#tenant")
    public void limited(String tenant) {
      calls++;
    }

    public void inside(String tenant) {
      limited(tenant);
      limited(tenant);
    }

    public void throughTheProxy(String tenant) {
      proxy.getObject().limited(tenant);
      proxy.getObject().limited(tenant);
    }
  }

  @Test
  void callsInsideAnObjectAreNotLimitedUnlessTheyPassTheProxy() {
    try (ConfigurableApplicationContext context = Contexts.start(ONCE, Caller.class)) {
      Caller caller = context.getBean(Caller.class);
      caller.inside("acme");
      assertThatThrownBy(() -> caller.throughTheProxy("acme"))
          .isInstanceOf(RateLimitedException.class);
    }
  }

  /** Beans that are made after the start. */
  @Configuration
  static class MadeLater {
    @Bean
    @Lazy
    SenderBean lazy() {
      return new SenderBean();
    }

    @Bean
    @Scope("prototype")
    SenderBean prototype() {
      return new SenderBean();
    }
  }

  @Test
  void beansThatAreMadeLaterAreLimitedToo() {
    try (ConfigurableApplicationContext context = Contexts.start(ONCE, MadeLater.class)) {
      assertOnce(context.getBean("lazy", Sender.class)::send);
      Sender one = context.getBean("prototype", Sender.class);
      Sender other = context.getBean("prototype", Sender.class);
      assertThat(one).isNotSameAs(other);
      one.send("acme");
      assertThatThrownBy(() -> other.send("acme")).isInstanceOf(RateLimitedException.class);
    }
  }
}

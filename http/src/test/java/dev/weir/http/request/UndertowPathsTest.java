package dev.weir.http.request;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests that reach a servlet on Undertow match the rule for its path. */
class UndertowPathsTest {

  @Test
  void requestsReachingAServletMatchItsRule() throws Exception {
    assertRulesMatch(builder -> builder);
  }

  @Test
  void requestsReachingAServletMatchItsRuleWithDecodedSlashes() throws Exception {
    assertRulesMatch(
        builder ->
            builder
                .setServerOption(UndertowOptions.DECODE_SLASH, true)
                .setServerOption(UndertowOptions.ALLOW_UNESCAPED_CHARACTERS_IN_URL, true));
  }

  /** Undertow logs every request that it cannot parse. */
  @BeforeAll
  static void keepQuiet() {
    Logger.getLogger("io.undertow").setLevel(Level.OFF);
  }

  private static void assertRulesMatch(UnaryOperator<Undertow.Builder> settings) throws Exception {
    DeploymentInfo deployment =
        Servlets.deployment()
            .setClassLoader(UndertowPathsTest.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("test");
    for (String[] mapping : NamedServlet.MAPPINGS) {
      deployment.addServlet(
          Servlets.servlet(
                  mapping[0],
                  NamedServlet.class,
                  new ImmediateInstanceFactory<>(new NamedServlet()))
              .addMapping(mapping[1]));
    }
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
    manager.deploy();
    Undertow server =
        settings
            .apply(Undertow.builder().addHttpListener(0, "127.0.0.1").setIoThreads(1))
            .setWorkerThreads(2)
            .setHandler(manager.start())
            .build();
    server.start();
    try {
      InetSocketAddress address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
      ReachedHandlers.assertReachedHandlersMatchTheirRules(address.getPort());
    } finally {
      server.stop();
    }
  }
}

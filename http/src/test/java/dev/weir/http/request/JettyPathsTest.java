package dev.weir.http.request;

import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** Requests that reach a servlet on Jetty match the rule for its path. */
class JettyPathsTest {

  @Test
  void requestsReachingAServletMatchItsRule() throws Exception {
    assertRulesMatch(UriCompliance.DEFAULT);
  }

  @Test
  void requestsReachingAServletMatchItsRuleWithUnsafeCompliance() throws Exception {
    assertRulesMatch(UriCompliance.UNSAFE);
  }

  private static void assertRulesMatch(UriCompliance compliance) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector
        .getConnectionFactory(HttpConnectionFactory.class)
        .getHttpConfiguration()
        .setUriCompliance(compliance);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.getServletHandler().setDecodeAmbiguousURIs(compliance == UriCompliance.UNSAFE);
    for (String[] mapping : NamedServlet.MAPPINGS) {
      context.addServlet(new ServletHolder(mapping[0], new NamedServlet()), mapping[1]);
    }
    server.setHandler(context);
    server.start();
    try {
      ReachedHandlers.assertReachedHandlersMatchTheirRules(connector.getLocalPort());
    } finally {
      server.stop();
    }
  }
}

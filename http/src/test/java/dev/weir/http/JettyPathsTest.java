package dev.weir.http;

import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** What reaches a servlet on Jetty has met the rule for its path. */
class JettyPathsTest {

  @Test
  void whatReachesAServletMetItsRule() throws Exception {
    tryOut(UriCompliance.DEFAULT);
  }

  @Test
  void alsoWhereEveryAmbiguityIsAllowed() throws Exception {
    tryOut(UriCompliance.UNSAFE);
  }

  private static void tryOut(UriCompliance compliance) throws Exception {
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
      ReachedHandlers.assertAllMeetTheirRules(connector.getLocalPort());
    } finally {
      server.stop();
    }
  }
}

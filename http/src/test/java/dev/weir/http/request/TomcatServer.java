package dev.weir.http.request;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** A real Tomcat with the servlets of a test. */
final class TomcatServer implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();

  TomcatServer(Path directory, Consumer<Connector> settings) throws LifecycleException {
    Logger.getLogger("org.apache").setLevel(Level.SEVERE);
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    settings.accept(tomcat.getConnector());
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", directory.toString());
    for (String[] mapping : NamedServlet.MAPPINGS) {
      Tomcat.addServlet(context, mapping[0], new NamedServlet());
      context.addServletMappingDecoded(mapping[1], mapping[0]);
    }
    tomcat.start();
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}

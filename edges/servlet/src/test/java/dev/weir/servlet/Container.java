package dev.weir.servlet;

import jakarta.servlet.ServletContext;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The servlet containers that tests run in, each with a real port of loopback. */
enum Container {
  TOMCAT {
    @Override
    RunningServer start(Path directory, String host, Consumer<ServletContext> application)
        throws Exception {
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(directory.toString());
      tomcat.setPort(0);
      Connector connector = tomcat.getConnector();
      connector.setProperty("address", host);
      connector.addUpgradeProtocol(new Http2Protocol());
      Context context = tomcat.addContext("", directory.toString());
      context.addServletContainerInitializer((types, made) -> application.accept(made), null);
      return started(tomcat, context);
    }
  },

  JETTY {
    @Override
    RunningServer start(Path directory, String host, Consumer<ServletContext> application)
        throws Exception {
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost(host);
      server.addConnector(connector);
      ServletContextHandler handler = new ServletContextHandler("/");
      handler.addServletContainerInitializer((types, made) -> application.accept(made));
      server.setHandler(handler);
      try {
        server.start();
      } catch (Exception e) {
        server.stop();
        throw e;
      }
      return new RunningServer(connector.getLocalPort(), server::stop);
    }
  };

  private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

  static {
    TOMCAT_LOG.setLevel(Level.OFF);
  }

  /** Starts an application; throws if it cannot start. */
  abstract RunningServer start(Path directory, String host, Consumer<ServletContext> application)
      throws Exception;

  final RunningServer start(Path directory, Consumer<ServletContext> application) throws Exception {
    return start(directory, "127.0.0.1", application);
  }

  static RunningServer started(Tomcat tomcat, Context context) throws Exception {
    tomcat.start();
    AutoCloseable end =
        () -> {
          tomcat.stop();
          tomcat.destroy();
        };
    if (context.getState() != LifecycleState.STARTED) {
      end.close();
      throw new IllegalStateException("the application has not started");
    }
    return new RunningServer(tomcat.getConnector().getLocalPort(), end);
  }
}

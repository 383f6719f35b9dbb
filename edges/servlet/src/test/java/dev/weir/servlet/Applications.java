package dev.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;

/** Parts of applications that tests put together. */
final class Applications {
  private Applications() {}

  /** What a servlet does. */
  @FunctionalInterface
  interface Work {
    void run(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException;
  }

  /** Maps work to a path. */
  static void serve(ServletContext context, String path, Work work) {
    ServletRegistration.Dynamic servlet =
        context.addServlet(
            "servlet " + path,
            new HttpServlet() {
              private static final long serialVersionUID = 1;

              @Override
              protected void service(HttpServletRequest request, HttpServletResponse response)
                  throws ServletException, IOException {
                work.run(request, response);
              }
            });
    servlet.setAsyncSupported(true);
    servlet.addMapping(path);
  }

  /** Answers every request with the name of the path. */
  static void serveOk(ServletContext context) {
    serve(context, "/", (request, response) -> response.getOutputStream().print("ok"));
  }

  /** Registers a filter for every request and every way of dispatching it. */
  static void filter(ServletContext context, String name, Filter filter) {
    register(context.addFilter(name, filter));
  }

  static void register(FilterRegistration.Dynamic filter) {
    filter.setAsyncSupported(true);
    filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
  }
}

package dev.weir.http.request;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A servlet that responds with its own name. */
final class NamedServlet extends HttpServlet {
  /** The name and the mapping of each servlet of a test server. */
  static final String[][] MAPPINGS = {
    {ReachedHandlers.LOGIN, "/login"},
    {ReachedHandlers.ADMIN, "/admin/*"},
    {ReachedHandlers.CAFE, "/café"},
    {ReachedHandlers.OTHER, "/*"}
  };

  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] name = getServletName().getBytes(StandardCharsets.US_ASCII);
    response.setContentLength(name.length);
    response.getOutputStream().write(name);
  }
}

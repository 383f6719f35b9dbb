package dev.weir.replay.run;

import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Ip;
import dev.weir.replay.log.LogEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as a server behind the proxy that wrote the log would have received it: from the proxy,
 * which has appended the address of its client to the forwarded header.
 */
record ProxiedEntry(LogEntry entry, String proxy, ForwardedHeader header)
    implements dev.weir.http.request.HttpRequest {
  @Override
  public String method() {
    return entry.method();
  }

  @Override
  public String target() {
    return entry.target();
  }

  @Override
  public @Nullable String authority() {
    return entry.authority();
  }

  @Override
  public List<String> headers(String name) {
    List<String> logged = entry.headers(name);
    String client = entry.peer();
    if (client == null || !name.equalsIgnoreCase(header.headerName())) {
      return logged;
    }
    String appended = appended(client);
    if (logged.isEmpty()) {
      return List.of(appended);
    }
    List<String> all = new ArrayList<>(logged);
    all.add(appended);
    return all;
  }

  private String appended(String client) {
    if (header != ForwardedHeader.FORWARDED) {
      return client;
    }
    Ip address = Ip.parse(client);
    boolean plain = address == null || client.indexOf(':') < 0;
    return plain ? "for=" + client : "for=\"[" + client + "]\"";
  }

  @Override
  public String peer() {
    return proxy;
  }

  @Override
  public @Nullable String principal() {
    return entry.principal();
  }
}

package dev.weir.server.tls;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Reloads the certificate of running servers when its files change. */
public final class TlsReload {
  /** How often the files are checked for changes. */
  public static final int PERIOD_MILLIS = 1_000;

  private static final Logger LOG = System.getLogger(TlsReload.class.getName());

  private final Tls tls;
  private final List<HttpServer> servers;
  private final Supplier<ServerSSLOptions> options;
  private List<Object> seen;
  private volatile List<Object> loaded;

  private TlsReload(Tls tls, List<HttpServer> servers, Supplier<ServerSSLOptions> options) {
    this.tls = tls;
    this.servers = servers;
    this.options = options;
    this.seen = stamps();
    this.loaded = seen;
  }

  /**
   * Watches the files of a certificate for as long as {@code vertx} runs.
   *
   * @param options reads the files again
   */
  public static void watch(
      Vertx vertx, Tls tls, List<HttpServer> servers, Supplier<ServerSSLOptions> options) {
    TlsReload reload = new TlsReload(tls, servers, options);
    vertx.setPeriodic(
        PERIOD_MILLIS,
        now -> {
          var unused = vertx.executeBlocking(reload::poll, true);
        });
  }

  /**
   * Reloads files that have been unchanged for one period: a certificate and its key are rarely
   * written in one step.
   */
  private Void poll() {
    List<Object> now = stamps();
    if (now.equals(seen) && !now.equals(loaded)) {
      loaded = now;
      reload();
    }
    seen = now;
    return null;
  }

  private void reload() {
    try {
      tls.check();
    } catch (IllegalArgumentException e) {
      LOG.log(
          Level.ERROR,
          "TLS files not reloaded, the previous certificate stays in use: {0}",
          e.getMessage());
      return;
    }
    Future.all(
            servers.stream().map(server -> server.updateSSLOptions(options.get(), true)).toList())
        .onSuccess(all -> LOG.log(Level.INFO, "{0}: new TLS certificate in use", tls.certificate()))
        .onFailure(
            e -> {
              LOG.log(
                  Level.ERROR, "TLS files not reloaded, the previous certificate stays in use", e);
              loaded = List.of();
            });
  }

  private List<Object> stamps() {
    List<Object> stamps = new ArrayList<>();
    stamps.add(stamp(tls.certificate()));
    stamps.add(stamp(tls.key()));
    if (tls.clients() != null) {
      stamps.add(stamp(tls.clients().ca()));
    }
    return stamps;
  }

  private static Object stamp(Path file) {
    try {
      return Files.readAttributes(file, "lastModifiedTime,size,fileKey");
    } catch (IOException e) {
      return "";
    }
  }
}

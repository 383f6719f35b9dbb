package dev.weir.server;

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

/** Looks after the files of a server's certificate, and takes them on when they are new. */
final class TlsReload {
  static final int PERIOD_MILLIS = 1_000;

  private static final Logger LOG = System.getLogger(TlsReload.class.getName());

  private final Tls tls;
  private final List<HttpServer> servers;
  private final Supplier<ServerSSLOptions> options;
  private List<Object> seen;
  private volatile List<Object> done;

  private TlsReload(Tls tls, List<HttpServer> servers, Supplier<ServerSSLOptions> options) {
    this.tls = tls;
    this.servers = servers;
    this.options = options;
    this.seen = stamps();
    this.done = seen;
  }

  /**
   * @param options made anew of the files
   */
  static void watch(
      Vertx vertx, Tls tls, List<HttpServer> servers, Supplier<ServerSSLOptions> options) {
    TlsReload reload = new TlsReload(tls, servers, options);
    vertx.setPeriodic(
        PERIOD_MILLIS,
        now -> {
          var unused = vertx.executeBlocking(reload::look, true);
        });
  }

  /** Two looks must show the same: a certificate and its key are seldom written in one step. */
  private Void look() {
    List<Object> now = stamps();
    if (now.equals(seen) && !now.equals(done)) {
      done = now;
      take();
    }
    seen = now;
    return null;
  }

  private void take() {
    try {
      tls.check();
    } catch (IllegalArgumentException e) {
      LOG.log(Level.ERROR, "The certificate in use stays: {0}", e.getMessage());
      return;
    }
    Future.all(
            servers.stream().map(server -> server.updateSSLOptions(options.get(), true)).toList())
        .onSuccess(
            all -> LOG.log(Level.INFO, "{0}: a new certificate is in use", tls.certificate()))
        .onFailure(
            e -> {
              LOG.log(Level.ERROR, "The certificate in use stays", e);
              done = List.of();
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

package dev.weir.server.warmup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to ports of this server, and knows them again at their other end.
 *
 * <p>A connection is known by its own address and port, noted before it is connected. Nobody else
 * can have these until its other end is closed, and then they are {@linkplain #forget forgotten}:
 * so no client can pass for this server.
 */
public final class Sockets {
  private final Set<InetSocketAddress> own = ConcurrentHashMap.newKeySet();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private @Nullable SSLContext tls;

  /**
   * Whether a peer is a connection opened here.
   *
   * @param address in figures, as the other end sees it
   */
  public boolean own(String address, int port) {
    InetSocketAddress peer = peer(address, port);
    return peer != null && own.contains(peer);
  }

  /** Notes that the other end has closed a connection: its address and port are anybody's again. */
  public void forget(String address, int port) {
    InetSocketAddress peer = peer(address, port);
    if (peer != null) {
      own.remove(peer);
    }
  }

  /** Closes all that are open, on any thread: whoever waits for an answer waits no longer. */
  void cut() {
    cut = true;
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is of no use any more either way.
      }
    }
  }

  /**
   * The bytes of an address, however it is written, and the port. Both ends need not agree on the
   * scope of an address, which is a matter of interfaces.
   */
  static @Nullable InetSocketAddress peer(String address, int port) {
    int scope = address.indexOf('%');
    try {
      String figures = scope < 0 ? address : address.substring(0, scope);
      return new InetSocketAddress(InetAddress.getByName(figures), port);
    } catch (UnknownHostException e) {
      return null;
    }
  }

  /** Connects to a port, on which TLS is spoken or not. */
  Socket open(Port port, String protocol) throws IOException {
    InetAddress address = port.address();
    Socket socket = new Socket();
    InetSocketAddress self = null;
    open.removeIf(Socket::isClosed);
    open.add(socket);
    try {
      if (cut) {
        throw new SocketException("time is over");
      }
      socket.setTcpNoDelay(true);
      socket.bind(new InetSocketAddress(address, 0));
      self = new InetSocketAddress(address, socket.getLocalPort());
      own.add(self);
      socket.connect(new InetSocketAddress(address, port.number()));
      return port.tls() ? secured(socket, protocol) : socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      if (self != null) {
        own.remove(self); // no request came of it
      }
      throw e;
    }
  }

  private Socket secured(Socket plain, String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket) tls().getSocketFactory().createSocket(plain, "localhost", 0, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private SSLContext tls() throws IOException {
    SSLContext context = tls;
    if (context == null) {
      try {
        context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustOurselves()}, null);
      } catch (GeneralSecurityException e) {
        throw new IOException(e);
      }
      tls = context;
    }
    return context;
  }

  /** At the other end is this very process, whatever name its certificate is for. */
  private static final class TrustOurselves implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

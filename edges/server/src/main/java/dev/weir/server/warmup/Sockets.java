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
 * Opens connections to ports of this server, and recognizes them on the server side. Thread-safe,
 * except that one thread opens connections.
 *
 * <p>A connection is recognized by its local address and port, recorded before it connects. No
 * other client can have these until the server side is closed, and then they are {@linkplain
 * #forget removed}: so no client can pass for this server.
 */
public final class Sockets {
  private final Set<InetSocketAddress> ownAddresses = ConcurrentHashMap.newKeySet();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private @Nullable SSLContext tls;

  /**
   * Whether a peer is a connection opened here.
   *
   * @param address the numeric IP address of the peer, as the server sees it
   */
  public boolean isOwn(String address, int port) {
    InetSocketAddress peer = peer(address, port);
    return peer != null && ownAddresses.contains(peer);
  }

  /** Removes a connection that the server side has closed: any client may have its port now. */
  public void forget(String address, int port) {
    InetSocketAddress peer = peer(address, port);
    if (peer != null) {
      ownAddresses.remove(peer);
    }
  }

  /** Closes all open sockets, so that no caller waits for a response any longer. */
  void closeAll() {
    closed = true;
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // The socket is not used any more either way.
      }
    }
  }

  /**
   * The address in canonical form, and the port. The IPv6 scope is dropped, because it depends on
   * the interface and may differ between both ends.
   */
  static @Nullable InetSocketAddress peer(String address, int port) {
    int scope = address.indexOf('%');
    try {
      String numeric = scope < 0 ? address : address.substring(0, scope);
      return new InetSocketAddress(InetAddress.getByName(numeric), port);
    } catch (UnknownHostException e) {
      return null;
    }
  }

  /** Connects to a port, with TLS if the port expects it. */
  Socket open(Port port, String protocol) throws IOException {
    InetAddress address = port.address();
    Socket socket = new Socket();
    InetSocketAddress local = null;
    open.removeIf(Socket::isClosed);
    open.add(socket);
    try {
      if (closed) {
        throw new SocketException("time is over");
      }
      socket.setTcpNoDelay(true);
      socket.bind(new InetSocketAddress(address, 0));
      local = new InetSocketAddress(address, socket.getLocalPort());
      ownAddresses.add(local);
      socket.connect(new InetSocketAddress(address, port.number()));
      return port.tls() ? startTls(socket, protocol) : socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      if (local != null) {
        ownAddresses.remove(local); // it was never used
      }
      throw e;
    }
  }

  private Socket startTls(Socket plain, String protocol) throws IOException {
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
        context.init(null, new TrustManager[] {new TrustAny()}, null);
      } catch (GeneralSecurityException e) {
        throw new IOException(e);
      }
      tls = context;
    }
    return context;
  }

  /** Trusts any certificate: the server is this process, whatever name its certificate has. */
  private static final class TrustAny implements X509TrustManager {
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

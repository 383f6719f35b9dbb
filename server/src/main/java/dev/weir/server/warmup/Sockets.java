package dev.weir.server.warmup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Opens connections to ports of this server, and knows them again at their other end.
 *
 * <p>A connection is known by its own address and port, noted before it is connected. Nobody else
 * can have these while it is open, so no client can pass for this server.
 */
public final class Sockets {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();

  private final Set<String> own = ConcurrentHashMap.newKeySet();

  /** Whether a peer is a connection opened here. */
  public boolean own(String address, int port) {
    return own.contains(key(address, port));
  }

  private static String key(String address, int port) {
    return address + " " + port;
  }

  /** Connects to a port, on which TLS is spoken or not. */
  Socket open(Port port, String protocol) throws IOException {
    InetAddress address = port.address();
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.bind(new InetSocketAddress(address, 0));
      own.add(key(address.getHostAddress(), socket.getLocalPort()));
      socket.connect(new InetSocketAddress(address, port.number()), TIMEOUT_MILLIS);
      return port.tls() ? secured(socket, protocol) : socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket secured(Socket plain, String protocol) throws IOException {
    SSLSocket socket;
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustOurselves()}, null);
      socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "localhost", 0, true);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
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

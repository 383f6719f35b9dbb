package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.http.address.Ip;
import dev.weir.http.address.Network;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import dev.weir.http.request.HttpRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates readers for tests. */
public final class Readers {
  private Readers() {}

  public static HttpReader reader(HttpSettings settings, String... names) {
    return new HttpReader(settings, Descriptor.Names.of(List.of(names)));
  }

  public static @Nullable String read(String name, HttpRequest request) {
    return read(HttpSettings.DEFAULT, name, request);
  }

  public static @Nullable String read(HttpSettings settings, String name, HttpRequest request) {
    return reader(settings, name).read(request).value(name);
  }

  public static HttpSettings trusting(String... networks) {
    return HttpSettings.DEFAULT.withTrustedProxies(
        Arrays.stream(networks).map(Network::parse).toList());
  }

  public static Ip ip(String text) {
    return Objects.requireNonNull(Ip.parse(text), text);
  }

  public static HttpSettings hops(int hops) {
    return HttpSettings.DEFAULT.withTrustedHops(hops);
  }
}

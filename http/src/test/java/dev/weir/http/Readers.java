package dev.weir.http;

import dev.weir.Descriptor;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Readers in few words. */
final class Readers {
  private Readers() {}

  static HttpReader reader(HttpSettings settings, String... names) {
    return new HttpReader(settings, Descriptor.Names.of(List.of(names)));
  }

  static @Nullable String read(String name, HttpRequest request) {
    return read(HttpSettings.DEFAULT, name, request);
  }

  static @Nullable String read(HttpSettings settings, String name, HttpRequest request) {
    return reader(settings, name).read(request).value(name);
  }

  static HttpSettings trusting(String... networks) {
    return HttpSettings.DEFAULT.withTrustedProxies(
        Arrays.stream(networks).map(Network::parse).toList());
  }

  static Ip ip(String text) {
    return Objects.requireNonNull(Ip.parse(text), text);
  }

  static HttpSettings hops(int hops) {
    return HttpSettings.DEFAULT.withTrustedHops(hops);
  }
}

package dev.weir.cli.doctor.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request of a synthetic caller. Immutable.
 *
 * @param host the value of the Host header
 * @param headers fields in the form {@code Name: value}
 * @param source the address of this machine that the connection comes from; empty for any
 */
public record ProbeRequest(
    String method, String target, String host, List<String> headers, Optional<String> source) {

  /** Copies the headers. */
  public ProbeRequest {
    headers = List.copyOf(headers);
  }

  /** This request with one more header. */
  public ProbeRequest with(String name, String value) {
    List<String> more = new ArrayList<>(headers);
    more.add(name + ": " + value);
    return new ProbeRequest(method, target, host, more, source);
  }

  /** This request with one more cookie, in the Cookie header that it has or in a new one. */
  public ProbeRequest withCookie(String name, String value) {
    List<String> all = new ArrayList<>();
    String cookies = name + "=" + value;
    for (String header : headers) {
      if (header.regionMatches(true, 0, "cookie:", 0, 7)) {
        cookies = header.substring(7).strip() + "; " + cookies;
      } else {
        all.add(header);
      }
    }
    all.add("Cookie: " + cookies);
    return new ProbeRequest(method, target, host, all, source);
  }

  /** This request for another target. */
  public ProbeRequest withTarget(String other) {
    return new ProbeRequest(method, other, host, headers, source);
  }

  /** This request from another address of this machine. */
  public ProbeRequest from(String address) {
    return new ProbeRequest(method, target, host, headers, Optional.of(address));
  }

  /** The request line without the version. */
  @Override
  public String toString() {
    return method + " " + target;
  }
}

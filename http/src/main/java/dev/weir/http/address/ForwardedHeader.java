package dev.weir.http.address;

/** The header in which proxies record the addresses that a request has passed through. */
public enum ForwardedHeader {
  /** {@code X-Forwarded-For: 203.0.113.7, 10.0.0.1}. */
  X_FORWARDED_FOR("x-forwarded-for"),
  /** {@code Forwarded: for=203.0.113.7;proto=https, for=10.0.0.1}, as in RFC 7239. */
  FORWARDED("forwarded");

  private final String headerName;

  ForwardedHeader(String headerName) {
    this.headerName = headerName;
  }

  /** The name of the header, in lower case. */
  public String headerName() {
    return headerName;
  }
}

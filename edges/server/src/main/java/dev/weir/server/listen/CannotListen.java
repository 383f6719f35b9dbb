package dev.weir.server.listen;

import dev.weir.server.settings.ListenAddress;

/** Thrown when a server cannot listen on an address: it is in use, say, or not of this machine. */
public final class CannotListen extends IllegalStateException {
  private static final long serialVersionUID = 1;

  private final transient ListenAddress address;

  CannotListen(ListenAddress address, Throwable cause) {
    super("cannot listen on " + address + ": " + cause, cause);
    this.address = address;
  }

  /** The address that failed. */
  public ListenAddress address() {
    return address;
  }
}

package dev.weir.server;

/** An address cannot be listened on: it is taken, say, or not of this machine. */
public final class CannotListen extends IllegalStateException {
  private static final long serialVersionUID = 1;

  private final transient ListenAddress address;

  CannotListen(ListenAddress address, Throwable cause) {
    super("cannot listen on " + address + ": " + cause, cause);
    this.address = address;
  }

  public ListenAddress address() {
    return address;
  }
}

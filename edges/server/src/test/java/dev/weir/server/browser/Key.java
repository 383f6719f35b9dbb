package dev.weir.server.browser;

/** A key, by its code in the WebDriver protocol. */
public enum Key {
  TAB('\uE004'),
  ENTER('\uE007'),
  ESCAPE('\uE00C'),
  HOME('\uE011'),
  LEFT('\uE012'),
  RIGHT('\uE014');

  private final char code;

  Key(char code) {
    this.code = code;
  }

  String code() {
    return String.valueOf(code);
  }
}

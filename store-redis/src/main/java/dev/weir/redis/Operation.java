package dev.weir.redis;

/** What to do with claims, by the script's number. */
enum Operation {
  TAKE(1),
  LOOK(2),
  REFUND(3),
  CHARGE(4),
  FORGET(5);

  final int code;

  Operation(int code) {
    this.code = code;
  }
}

package dev.weir.rules;

/** Every file in {@code envoy/broken} is refused with exactly what {@code expected.txt} says. */
class EnvoyBrokenTest extends BrokenFilesContract {
  EnvoyBrokenTest() {
    super(TestEnvoy.RESOURCES.resolve("broken"), 20);
  }
}

package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Continuations;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.RedisServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Takes pictures of the dashboard for the docs and for whoever changes it: target/pictures. */
class DashboardPicturesTest extends BrowserFixture {
  private static final Path FOLDER = Path.of("target", "pictures");
  private static final int PHONE = 390;
  private static final int PHONE_HEIGHT = 844;

  private static final String OUTAGE = "The store does not answer, and requests pass uncounted";

  /** So many seconds fill what the page says of now. */
  private static final int LIVE_SECONDS = 12;

  /** Lets some seconds pass on the page. */
  private static void live(BusyShop shop, DashboardPage page, int seconds) {
    for (int i = 0; i < seconds; i++) {
      String before = page.text("#link-text");
      shop.second();
      page.await("document.getElementById('link-text').textContent !== arguments[0]", before);
    }
  }

  private void take(DashboardPage page, String name, int width, int height) throws IOException {
    page.run("document.activeElement.blur(); scrollTo(0, 0);");
    byte[] png = browser().picture(width, height);
    Files.createDirectories(FOLDER);
    Files.write(FOLDER.resolve(name + ".png"), png);
    BufferedImage image = Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png)));
    assertThat(image.getWidth()).isEqualTo(width);
    assertThat(image.getHeight()).isEqualTo(height);
    long colours =
        IntStream.range(0, width * height)
            .map(at -> image.getRGB(at % width, at / width))
            .distinct()
            .count();
    assertThat(colours).as("colours of %s", name).isGreaterThan(20);
  }

  /** Where the card of an element begins. */
  private static int top(DashboardPage page, String css) {
    String card = "document.querySelector(arguments[0]).closest('.card')";
    return ((Number)
            Objects.requireNonNull(
                page.run("scrollTo(0, 0); return " + card + ".getBoundingClientRect().top", css)))
        .intValue();
  }

  private static int height(DashboardPage page) {
    return ((Number) Objects.requireNonNull(page.run("return document.body.scrollHeight")))
        .intValue();
  }

  @Test
  void busyShop() throws IOException {
    try (BusyShop shop = BusyShop.open();
        DashboardPage page = DashboardPage.of(shop.served, browser())) {
      live(shop, page, LIVE_SECONDS);
      assertThat(page.text("#verdict")).isEqualTo("Weir decides every request");
      assertThat(page.text("#denied")).contains("login", "search", "export");
      page.type("#explain-peer", "203.0.113.7");
      page.explain("curl -X POST https://shop.example.com/login -d 'user=ann'");
      live(shop, page, 2);
      take(page, "dashboard", 1280, top(page, "#explain"));
      take(page, "dashboard-whole", 1280, height(page));
      browser().prefer("dark");
      live(shop, page, 1);
      take(page, "dashboard-dark", 1280, height(page));
      browser().resize(PHONE);
      live(shop, page, 1);
      take(page, "dashboard-narrow-dark", PHONE, height(page));
      browser().prefer("light");
      live(shop, page, 1);
      take(page, "dashboard-narrow", PHONE, height(page));
    }
  }

  @Test
  void storeOutageOnAPhone() throws IOException {
    browser().resize(PHONE);
    browser().prefer("dark");
    try (RedisServer redis = RedisServer.start();
        RedisStore store =
            RedisStore.connect(RedisSettings.parse(redis.url()), Continuations.DIRECT);
        BusyShop shop = BusyShop.on(store, redis.url());
        DashboardPage page = DashboardPage.of(shop.served, browser())) {
      live(shop, page, LIVE_SECONDS);
      redis.kill();
      while (!page.text("#verdict").equals(OUTAGE)) {
        live(shop, page, 1);
      }
      live(shop, page, 5 * LIVE_SECONDS);
      take(page, "dashboard-phone", PHONE, PHONE_HEIGHT);
      take(page, "dashboard-phone-whole", PHONE, height(page));
    }
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "390, light", "390, dark"})
  void pageWithAllThatItCanHave(int width, String theme) throws IOException {
    browser().resize(width);
    browser().prefer(theme);
    try (TestServer served = FullPage.serve();
        DashboardPage page = FullPage.of(served, browser())) {
      take(page, "full-" + width + "-" + theme, width, height(page));
    }
  }
}

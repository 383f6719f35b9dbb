package dev.weir.server.browser;

import dev.weir.testkit.Programs;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A headless Chromium that shows one page, and talks to this machine only. For one thread. */
public final class Browser implements AutoCloseable {
  /** Longer than any page needs, also on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private static final List<String> ARGUMENTS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");

  private final WebDriver driver;
  private final String session;

  private Browser(WebDriver driver, String session) {
    this.driver = driver;
    this.session = session;
  }

  /** Starts a browser; aborts the test if none is installed. */
  public static Browser start() {
    Path chromium = Programs.require("chromium");
    WebDriver driver = new WebDriver(Programs.require("chromedriver"));
    JsonObject options =
        new JsonObject().put("binary", chromium.toString()).put("args", new JsonArray(ARGUMENTS));
    JsonObject wanted =
        new JsonObject()
            .put("browserName", "chrome")
            .put("goog:chromeOptions", options)
            .put("goog:loggingPrefs", new JsonObject().put("browser", "ALL"));
    try {
      JsonObject capabilities =
          new JsonObject().put("capabilities", new JsonObject().put("alwaysMatch", wanted));
      JsonObject begun = (JsonObject) driver.send("POST", "/session", capabilities);
      return new Browser(driver, "/session/" + value(begun).getString("sessionId"));
    } catch (RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  private static <T> T value(@Nullable T value) {
    return Objects.requireNonNull(value);
  }

  private @Nullable Object post(String command, JsonObject body) {
    return driver.send("POST", session + command, body);
  }

  /** Forgets cookies, and is as wide as a desktop and light again. */
  public void reset() {
    var unused = cdp("Network.clearBrowserCookies", new JsonObject());
    resize(1280);
    prefer("light");
  }

  /** Loads a page. */
  public void open(String url) {
    post("/url", new JsonObject().put("url", url));
  }

  /** Loads the page again. */
  public void reload() {
    post("/refresh", new JsonObject());
  }

  /** The result of the body of a function; a promise is awaited. */
  public @Nullable Object run(String script, Object... arguments) {
    JsonArray all = new JsonArray();
    for (Object argument : arguments) {
      all.add(argument);
    }
    return post("/execute/sync", new JsonObject().put("script", script).put("args", all));
  }

  /** The texts that a function returns. */
  public List<String> texts(String script, Object... arguments) {
    List<String> texts = new ArrayList<>();
    ((JsonArray) value(run(script, arguments))).forEach(one -> texts.add(String.valueOf(one)));
    return texts;
  }

  /** The text of an element as a reader sees it. */
  public String text(String css) {
    return String.valueOf(run("return document.querySelector(arguments[0]).innerText", css));
  }

  /** Whether the condition holds. */
  public boolean is(String condition, Object... arguments) {
    return Boolean.TRUE.equals(run("return Boolean(" + condition + ")", arguments));
  }

  /** Returns once the condition holds. */
  public void await(String condition, Object... arguments) {
    Await.until(condition, LONG, () -> is(condition, arguments));
  }

  /** Clicks on an element as a person does: where it is, and only if nothing covers it. */
  public void click(String css) {
    run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css);
    post("/element/" + element(css) + "/click", new JsonObject());
  }

  /** Types into an element. */
  public void type(String css, String text) {
    post("/element/" + element(css) + "/value", new JsonObject().put("text", text));
  }

  private String element(String css) {
    JsonObject found =
        (JsonObject)
            value(
                post("/element", new JsonObject().put("using", "css selector").put("value", css)));
    return String.valueOf(found.iterator().next().getValue());
  }

  /** Presses keys one after another, wherever the focus is. */
  public void press(Key... keys) {
    JsonArray strokes = new JsonArray();
    for (Key key : keys) {
      strokes.add(new JsonObject().put("type", "keyDown").put("value", key.code()));
      strokes.add(new JsonObject().put("type", "keyUp").put("value", key.code()));
    }
    JsonObject keyboard =
        new JsonObject().put("type", "key").put("id", "keyboard").put("actions", strokes);
    post("/actions", new JsonObject().put("actions", new JsonArray().add(keyboard)));
  }

  /** Makes the page so many pixels wide and 900 high, as on a phone if it is narrow. */
  public void resize(int width) {
    JsonObject screen =
        new JsonObject()
            .put("width", width)
            .put("height", 900)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600);
    var unused = cdp("Emulation.setDeviceMetricsOverride", screen);
  }

  /** Prefers a colour scheme, {@code light} or {@code dark}. */
  public void prefer(String scheme) {
    JsonObject feature = new JsonObject().put("name", "prefers-color-scheme").put("value", scheme);
    JsonObject media = new JsonObject().put("features", new JsonArray().add(feature));
    var unused = cdp("Emulation.setEmulatedMedia", media);
  }

  private @Nullable Object cdp(String command, JsonObject parameters) {
    return post(
        "/goog/cdp/execute", new JsonObject().put("cmd", command).put("params", parameters));
  }

  /** A picture of so much of the page, from the top, as the bytes of a PNG. */
  public byte[] picture(int width, int height) {
    JsonObject clip =
        new JsonObject()
            .put("x", 0)
            .put("y", 0)
            .put("width", width)
            .put("height", height)
            .put("scale", 1);
    JsonObject parameters =
        new JsonObject().put("format", "png").put("captureBeyondViewport", true).put("clip", clip);
    JsonObject picture = (JsonObject) value(cdp("Page.captureScreenshot", parameters));
    return Base64.getDecoder().decode(picture.getString("data"));
  }

  /** The errors and warnings in the console since the last call. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    JsonArray log = (JsonArray) value(post("/se/log", new JsonObject().put("type", "browser")));
    for (Object one : log) {
      JsonObject entry = (JsonObject) one;
      if (List.of("SEVERE", "WARNING").contains(entry.getString("level"))) {
        problems.add(entry.getString("message"));
      }
    }
    return problems;
  }

  @Override
  public void close() {
    try {
      driver.send("DELETE", session, new JsonObject());
    } finally {
      driver.close();
    }
  }
}

/** Chromium over its own protocol and Firefox over WebDriver BiDi, both without a display. */
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { asText, given, type Engine } from "./engine.js";

/** Firefox may reach no other hosts: names are not looked up, and everything else goes to a port without a listener. */
const alone = {
  "network.dns.disabled": true,
  "network.trr.mode": 5,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "app.normandy.enabled": false,
  "network.proxy.type": 1,
  "network.proxy.socks": "127.0.0.1",
  "network.proxy.socks_port": 9,
  "network.proxy.socks_remote_dns": true,
  "network.proxy.no_proxies_on": "127.0.0.1, localhost",
};

export const launchChromium = (): Promise<Browser> =>
  puppeteer.launch({
    executablePath: given("CHROMIUM"),
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-gpu", "--lang=en-US"],
  });

export const chromium = async (): Promise<Engine> => driven("Chromium", await launchChromium());

export async function firefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: given("FIREFOX"),
    headless: true,
    extraPrefsFirefox: { ...alone, "intl.accept_languages": "en-US, en" },
  });
  return driven("Firefox", browser);
}

async function driven(name: string, browser: Browser): Promise<Engine> {
  const version = /[\d.]+/.exec(await browser.version())![0];
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  // The time limit only stops a test that hangs.
  page.setDefaultTimeout(120_000);
  const complaints = listen(page);
  let gone: string | null = null;
  page.on("error", (error) => (gone ??= error.message));
  browser.on("disconnected", () => (gone ??= "it is no longer there"));
  return {
    name,
    version,
    open: async (address) => void (await page.goto(address)),
    async evaluate(expression, where = "page") {
      const frame = where === "page" ? page.mainFrame() : page.frames().find((one) => one.parentFrame());
      if (!frame) throw new Error("there is no frame in the page");
      return JSON.parse((await frame.evaluate(asText(expression))) as string) as unknown;
    },
    complaints: async () => complaints.splice(0),
    gone: () => gone,
    close: () => browser.close(),
  };
}

/** A message that Firefox sometimes logs, without a file's name, when a page is left while a service worker answers it. */
const left = /^(Error: )?Failed to load ‘’\. A ServiceWorker intercepted the request/;

function listen(page: Page): string[] {
  const complaints: string[] = [];
  const record = (said: string): void => {
    if (!left.test(said)) complaints.push(said);
  };
  page.on("console", (message) => {
    if (message.type() === "error") record(message.text());
  });
  page.on("pageerror", (error) =>
    record(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // A page that is left cancels its pending requests.
    if (!/ABORTED/i.test(reason)) complaints.push(`failed: ${request.url()} ${reason}`);
  });
  return complaints;
}

/**
 * The security policy of the site's own pages, and hosts that isolate them with strict headers or send none.
 */
import { expect, hosts, still, test } from "./open.js";

const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; img-src 'self' data: blob:; " +
  "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; " +
  "trusted-types attention-playground lit-html";

/** Long enough for a busy machine. */
const longTimeout = { timeout: 50_000 };

for (const name of ["index.html", "bench.html"])
  test(`the built ${name} has the policy before everything that it requests`, async ({ page }) => {
    await page.goto(hosts.page + name);
    const text = await (await page.request.get(hosts.page + name)).text();
    expect([...text.matchAll(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/g)]).toHaveLength(1);
    const metas = page.locator('meta[http-equiv="Content-Security-Policy"]');
    await expect(metas).toHaveCount(1);
    await expect(metas).toHaveAttribute("content", policy);
    expect(text.search(/<(script|link|style)\b/)).toBeGreaterThan(text.indexOf("Content-Security-Policy"));
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/);
  });

test("the frame requires trusted types, and computes under its policy", async ({ page, watched }) => {
  await page.goto(`${hosts.page}embed.html#v=1&cell=output,0,0`);
  await expect(page.locator("ap-note")).toContainText("0.985");
  const refused = await page.evaluate(() => {
    const script = document.createElement("script");
    try {
      script.textContent = "document.title = 'run'";
      return "taken";
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(refused).toBe("TypeError");
  // The browser reports it on the console.
  expect(watched.complaints.splice(0)).toHaveLength(1);
});

test("a form made by a script is sent nowhere, and no other policy can be made", async ({
  page,
  watched,
}) => {
  await page.goto(`${hosts.page}#v=1`);
  await still(page, "attention");
  const blocked = await page.evaluate(async () => {
    const seen = new Promise<string>((resolve) =>
      addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), {
        once: true,
      }),
    );
    const form = document.createElement("form");
    form.action = new URL("stolen", location.href).href;
    form.method = "post";
    document.body.append(form);
    form.submit();
    return await seen;
  });
  expect(blocked).toBe("form-action");
  const made = await page.evaluate(() => {
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): object };
    };
    try {
      trustedTypes.createPolicy("default", { createHTML: (text: string) => text });
      return "made";
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(made).toBe("TypeError");
  expect(watched.requests.filter((address) => address.includes("stolen"))).toEqual([]);
  // The browser reports both on the console.
  expect(watched.complaints.splice(0).length).toBeGreaterThan(0);
});

test("the page makes one policy of its own, beside that of Lit's templates", async ({ page }) => {
  await page.addInitScript(() => {
    interface Factory {
      createPolicy(name: string, rules: object): object;
    }
    const factory = (globalThis as unknown as { trustedTypes: Factory }).trustedTypes;
    const made: string[] = [];
    Object.assign(globalThis, { policies: made });
    factory.createPolicy = new Proxy(factory.createPolicy.bind(factory), {
      apply(create, self, [name, rules]: [string, object]) {
        made.push(name);
        return create.call(self, name, rules) as object;
      },
    });
  });
  await page.goto(`${hosts.page}#v=1&lab=block`);
  await still(page, "block");
  const made = await page.evaluate(() => (globalThis as unknown as { policies: string[] }).policies);
  expect(made.sort()).toEqual(["attention-playground", "lit-html"]);
});

for (const host of ["page", "strict"] as const)
  test(`both parts of the core and the timing page work on a host with ${host === "strict" ? "COOP same-origin and COEP require-corp" : "no such headers"}`, async ({
    page,
    watched,
  }) => {
    await page.goto(hosts[host]);
    await still(page, "attention");
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(host === "strict");
    for (const lab of ["vit", "block"] as const) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `v=1&lab=${lab}`);
      await still(page, lab);
    }
    await page.goto(`${hosts[host]}bench.html#works=matmul 64&quick&lang=en`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(host === "strict");
    await page.getByRole("button", { name: "Time it" }).click();
    await expect(page.getByRole("status")).toHaveText("Done: 1 timed.", longTimeout);
    await page.goto(`${hosts[host]}embed.html#v=1&cell=output,0,0`);
    await expect(page.locator("ap-note")).toContainText("0.985");
    expect(watched.complaints).toEqual([]);
  });

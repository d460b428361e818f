// The npm package: its files, and a separate project that installs it without a network, type-checks it, builds it with Vite and opens it.
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whileBuilding } from "../../toolchain/lock.mjs";
import { answers, listen } from "../../toolchain/serve.mjs";
import { launchChromium } from "../engines/puppeteer.js";
import type { Found } from "./project/found.js";

const project = fileURLToPath(new URL("../../", import.meta.url));
const about = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
  name: string;
  exports: Record<string, string | { types: string; default: string }>;
  sideEffects: string[];
  dependencies?: unknown;
};

/** A folder outside of this project, so that no parent folder has its node_modules. */
const place = mkdtempSync(join(tmpdir(), "attention-playground-package-"));
const installFolder = join(place, "project");
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs a program and returns its output. The message of a failure contains it. */
async function run(program: string, args: string[], cwd = installFolder): Promise<string> {
  const env = { ...process.env, NO_COLOR: "1", npm_config_cache: join(place, "cache"), NODE_OPTIONS: "" };
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}:\n${stdout}\n${stderr}`, { cause: error });
  }
}
const node = (...args: string[]): Promise<string> => run(process.execPath, args);
const tool = (name: string): string => join(project, "node_modules", name);

/** Causal attention of the two unit vectors to themselves, and the layer norm of the result. */
const share = 1 / (1 + Math.exp(-1 / Math.sqrt(2)));
const attended = [1, 0, 1 - share, share];
const unit = 0.5 / Math.sqrt(0.25 + 1e-5);
const normal = [unit, -unit, -unit, unit];
const near = (numbers: readonly number[]) => numbers.map((one) => expect.closeTo(one, 12) as number);

let files: string[] = [];

beforeAll(async () => {
  cpSync(fileURLToPath(new URL("project", import.meta.url)), installFolder, { recursive: true });
  // The step has already built the files that are packed; no other build may change them meanwhile.
  const output = await whileBuilding(() =>
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", place], project),
  );
  const [packed] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path).sort();
  writeFileSync(join(installFolder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(place, packed.filename)]);
  for (const name of ["vite", "typescript"])
    symlinkSync(tool(name), join(installFolder, "node_modules", name));
});

describe("the packed files", () => {
  test("are the element, the embed, the core with its declarations and wasm, and nothing else", () => {
    const core =
      /^dist\/core\/((transformer\/)?[a-z\d-]+\.d\.ts|(index|attention|library\d?)\.js|\w+-\w+\.wasm|licenses\.txt)$/;
    expect(files.filter((file) => !core.test(file))).toEqual([
      "LICENSE",
      "README.md",
      "dist/attention-playground.classic.js",
      "dist/attention-playground.d.ts",
      "dist/attention-playground.js",
      "dist/attention-playground.react.d.ts",
      "dist/attention-playground.vue.d.ts",
      "dist/embed-training.html",
      "dist/embed.html",
      "dist/licenses.txt",
      "package.json",
    ]);
    expect(files.filter((file) => file.endsWith(".wasm"))).toEqual(
      ["attention-relaxed", "attention-simd", "transformer-relaxed", "transformer-simd"].map(
        (name) => `dist/core/${name}.wasm`,
      ),
    );
  });

  test("contain every file that package.json names, and need no other package", () => {
    const named = Object.values(about.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry),
    );
    expect(named.length).toBeGreaterThan(6);
    expect(files).toEqual(expect.arrayContaining(named.map((file) => file.replace("./", ""))));
    expect(about.dependencies).toBeUndefined();
    expect(
      readdirSync(join(installFolder, "node_modules"))
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual([about.name, "typescript", "vite"]);
  });

  test("include the licences of everything bundled, also within each file that may be copied alone", () => {
    const compiled = ["xtensor", "Emscripten", "Rich Felker", "LLVM Exceptions"];
    const page = ["lit-html", "d3-interpolate", "valibot", "comlink", "fflate", "lzma1", ...compiled];
    const holders = {
      "licenses.txt": page,
      "attention-playground.js": page,
      "attention-playground.classic.js": page,
      "embed.html": page,
      "embed-training.html": page,
      "core/licenses.txt": ["fflate", ...compiled],
    };
    for (const [file, names] of Object.entries(holders)) {
      const text = readFileSync(join(project, "dist", file), "utf8");
      expect([file, names.filter((name) => !text.includes(name))]).toEqual([file, []]);
    }
  });

  test("are declared to have side effects only where an import has some", () => {
    const inside = about.sideEffects.filter((file) => file.startsWith("./dist/"));
    expect(inside).toEqual(["./dist/attention-playground.js", "./dist/attention-playground.classic.js"]);
  });
});

describe("a project that installs the package", () => {
  test.each(["bundler", "nodenext"])(
    "passes the type check, including the declarations, with %s",
    async (resolution) => {
      const module = resolution === "bundler" ? "esnext" : "nodenext";
      const options = ["--moduleResolution", resolution, "--module", module, "--skipLibCheck", "false"];
      await node(join(tool("typescript"), "bin/tsc"), "-p", ".", ...options);
      const wrong = join(installFolder, "wrong.ts");
      writeFileSync(wrong, 'document.createElement("attention-playground").src = 5;\nexport {};\n');
      writeFileSync(
        join(installFolder, "tsconfig.wrong.json"),
        JSON.stringify({ extends: "./tsconfig.json", include: ["main.ts", "wrong.ts"] }),
      );
      await expect(
        node(join(tool("typescript"), "bin/tsc"), "-p", "tsconfig.wrong.json", ...options),
      ).rejects.toThrow("wrong.ts(1,");
    },
  );

  test("gets the element's attributes type-checked in JSX of React and in components of Vue", async () => {
    mkdirSync(join(installFolder, "node_modules/@types"));
    symlinkSync(tool("@types/react"), join(installFolder, "node_modules/@types/react"));
    symlinkSync(tool("csstype"), join(installFolder, "node_modules/csstype"));
    // The part of Vue's types that type-checks templates.
    writeFileSync(
      join(installFolder, "ambient.d.ts"),
      'declare module "vue" { export interface GlobalComponents {} }\n',
    );
    const react = (attributes: string): string =>
      `import type {} from "attention-playground/react";\nexport const lab = <attention-playground ${attributes} />;\n`;
    const vue = (attributes: string): string =>
      'import type { GlobalComponents } from "vue";\nimport type {} from "attention-playground/vue";\n' +
      `export const lab: InstanceType<GlobalComponents["attention-playground"]>["$props"] = ${attributes};\n`;
    const checked = async (files: Record<string, string>): Promise<string> => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(installFolder, name), text);
      const compilerOptions = { jsx: "react-jsx", types: [] };
      const include = ["ambient.d.ts", ...Object.keys(files)];
      writeFileSync(
        join(installFolder, "tsconfig.views.json"),
        JSON.stringify({ extends: "./tsconfig.json", compilerOptions, include }),
      );
      return node(join(tool("typescript"), "bin/tsc"), "-p", "tsconfig.views.json");
    };
    await checked({
      "react.tsx": react('src="#v=1" only="weights" theme="page" lang="zh-CN" style={{ width: 680 }}'),
      "vue.ts": vue('{ src: "#v=1", only: "weights", theme: "page" }'),
    });
    const wrong = checked({
      "react.tsx": react("src={5}"),
      "vue.ts": vue("{ loading: 5 }"),
    });
    await expect(wrong).rejects.toThrow(/react\.tsx\(2,[\s\S]*vue\.ts\(3,/);
  });

  test("can import it on a server", async () => {
    expect(JSON.parse(await node("server.mjs"))).toEqual({
      name: about.name,
      element: "undefined",
      output: near(attended),
      normalized: near(normal),
      shown: "Node { id: 2, name: 'x', shape: [ 2, 2 ], op: 'leaf', dataType: 'float64' }",
    });
  });

  test("can be built by Vite and opened in Chromium", async () => {
    const output = await node(join(tool("vite"), "bin/vite.js"), "build", "--base", "./");
    expect(output).not.toMatch(/warn/i);
    const built = readdirSync(join(installFolder, "dist/assets"));
    expect(built.filter((name) => name.endsWith(".wasm"))).toHaveLength(4);

    const server = (await listen(answers(join(installFolder, "dist")), 0, "127.0.0.1")) as Server;
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("requestfailed", (request) => complaints.push(request.url()));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      await page.goto(address);
      const found = (await page.evaluate(() => window.found)) as Found;
      expect(found.shown.output!.shape).toEqual([4, 3]);
      expect(found.shown.output!.data[0]).toBeCloseTo(0.985, 3);
      expect(found.state).toMatch(/^v=1&/);
      expect(found.attention).toEqual({ build: "relaxed", output: near(attended) });
      expect(found.whole).toEqual({ build: "relaxed", normalized: near(normal) });
      // The page shows the number rounded to its displayed digits.
      const cell = await page.waitForSelector(
        'attention-playground >>> [data-board="output"] [data-row="0"]',
      );
      expect(await cell!.evaluate((one) => one.getAttribute("aria-label") ?? one.textContent)).toContain(
        "0.9",
      );
      const frame = await page.evaluate((at) => fetch(at).then((answer) => answer.text()), found.frame);
      expect(frame).toBe(readFileSync(join(project, "dist/embed.html"), "utf8"));
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

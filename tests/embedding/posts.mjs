/** Posts with the playground, written as the authors of each tool write them, and how the tool turns them into pages. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../../toolchain/progress.mjs";
import { onPath, run } from "../../toolchain/run.mjs";

/** Writes a folder with these files, and the picture beside each file in `pictured`. */
function write(folder, files, { picture, pictured }) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const place of pictured) {
    mkdirSync(join(folder, place), { recursive: true });
    cpSync(picture.file, join(folder, place, picture.name));
  }
}

const custom = 'isCustomElement: (tag) => tag === "attention-playground"';
const phone = '<!doctype html><meta name="viewport" content="width=device-width">';

/** The component's script, and the content of its template. */
const parted = (code) => {
  const at = code.indexOf("\n\n");
  return [code.slice(0, at), code.slice(at + 2)];
};

/**
 * Each tool: `make(folder, given)` writes its posts, runs the tool, and returns the folder of the pages and their names. `given` has
 * `code(tool, kind)`, `script(tool)`, `picture`, and `program(name)` of an npm package.
 */
export const tools = {
  html: async (folder, given) => {
    const page = (kind) =>
      `${phone}<title>${kind}</title><body>${given.code("html", kind)}${given.script("html")}`;
    const kinds = ["frame", "element", "picture"];
    write(folder, Object.fromEntries(kinds.map((kind) => [`${kind}.html`, page(kind)])), {
      ...given,
      pictured: ["."],
    });
    return { root: folder, pages: kinds.map((kind) => `${kind}.html`) };
  },
  vitepress: async (folder, given) => {
    const { code, script, program } = given;
    write(
      folder,
      {
        "index.md": `# Frame\n\n${code("vitepress", "frame")}\n`,
        "element.md": `# Element\n\n${code("vitepress", "element")}\n`,
        "picture.md": `# Picture\n\n${code("vitepress", "picture")}\n`,
        ".vitepress/config.mjs": `export default { ${script("vitepress")}, vue: { template: { compilerOptions: { ${custom} } } } };`,
      },
      { ...given, pictured: ["."] },
    );
    await run(program("vitepress"), ["build", folder]);
    return { root: join(folder, ".vitepress/dist"), pages: ["index.html", "element.html", "picture.html"] };
  },
  astro: async (folder, given) => {
    const { code, script, program } = given;
    const kinds = ["frame", "element", "picture"];
    // The styles that every theme has for pictures.
    const theme = '<style>{"img { max-width: 100%; height: auto }"}</style>';
    const posts = kinds.map((kind) => [
      `src/pages/${kind}.mdx`,
      `${theme}\n\n# ${kind}\n\n${code("mdx", kind)}\n\n${kind === "frame" ? script("mdx") : ""}\n`,
    ]);
    const noImages = 'image: { service: { entrypoint: "astro/assets/services/noop" } }';
    write(
      folder,
      {
        ...Object.fromEntries(posts),
        "astro.config.mjs": `import mdx from "@astrojs/mdx";\nexport default { integrations: [mdx()], ${noImages} };`,
      },
      { ...given, pictured: ["src/pages", "public/element"] },
    );
    await run(program("astro"), ["build", "--root", folder], { env: { ASTRO_TELEMETRY_DISABLED: "1" } });
    return { root: join(folder, "dist"), pages: kinds.map((kind) => `${kind}/index.html`) };
  },
  react: async (folder, given) => {
    const { code, program } = given;
    const [imports, element] = parted(code("react", "element"));
    write(
      folder,
      {
        "index.html": `${phone}<div id="root"></div><script type="module" src="./main.jsx"></script>`,
        "main.jsx":
          `import { createRoot } from "react-dom/client";\n${imports}\n` +
          `const App = () => <><h1>React</h1>${code("react", "frame")}${element}${code("react", "picture")}</>;\n` +
          `createRoot(document.getElementById("root")).render(<App />);`,
        "vite.config.mjs": `import react from "@vitejs/plugin-react";\nexport default { plugins: [react()], base: "./" };`,
      },
      { ...given, pictured: ["public"] },
    );
    await run(program("vite"), ["build", folder]);
    return { root: join(folder, "dist"), pages: ["index.html"] };
  },
  vue: async (folder, given) => {
    const { code, program } = given;
    const [script, element] = parted(code("vue", "element"));
    write(
      folder,
      {
        "index.html": `${phone}<div id="app"></div><script type="module" src="./main.js"></script>`,
        "main.js": `import { createApp } from "vue";\nimport App from "./App.vue";\ncreateApp(App).mount("#app");`,
        "App.vue": `${script}\n<template><h1>Vue</h1>${code("vue", "frame")}${element}${code("vue", "picture")}</template>`,
        "vite.config.mjs": `import vue from "@vitejs/plugin-vue";\nexport default { plugins: [vue({ template: { compilerOptions: { ${custom} } } })], base: "./" };`,
      },
      { ...given, pictured: [".", "public"] },
    );
    await run(program("vite"), ["build", folder]);
    return { root: join(folder, "dist"), pages: ["index.html"] };
  },
  hugo: async (folder, given) => {
    if (!onPath("hugo")) throw new SetupError("there is no hugo (Debian's package `hugo`)");
    const { code } = given;
    const kinds = ["frame", "element", "picture"];
    const post = (kind) => `---\ntitle: ${kind}\n---\n\n{{< the-${kind} >}}\n`;
    write(
      folder,
      {
        "config.toml": 'baseURL = "/"\ntitle = "Posts"\n',
        "layouts/_default/single.html": `${phone}<title>{{ .Title }}</title><body>{{ .Content }}`,
        "layouts/_default/list.html": `${phone}<title>Posts</title>`,
        ...Object.fromEntries(
          kinds.map((kind) => [`layouts/shortcodes/the-${kind}.html`, code("hugo", kind)]),
        ),
        ...Object.fromEntries(kinds.map((kind) => [`content/${kind}/index.md`, post(kind)])),
      },
      { ...given, pictured: ["content/element", "content/picture"] },
    );
    await run("hugo", ["--source", folder]);
    return { root: join(folder, "public"), pages: kinds.map((kind) => `${kind}/index.html`) };
  },
  jupyter: async (folder, given) => {
    const python = "/usr/bin/python3";
    if (!onPath("jupyter-nbconvert"))
      throw new SetupError("there is no nbconvert (Debian's package `jupyter-nbconvert`)");
    const cell = (source) => ({
      cell_type: "code",
      execution_count: null,
      metadata: {},
      outputs: [],
      source,
    });
    const cells = [
      cell(given.code("jupyter", "frame")),
      cell(given.code("jupyter", "element")),
      { cell_type: "markdown", metadata: {}, source: given.code("jupyter", "picture") },
    ];
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
      cells: cells.map((one, at) => ({ ...one, id: `cell-${at}` })),
    };
    write(folder, { "notebook.ipynb": JSON.stringify(notebook) }, { ...given, pictured: ["."] });
    await run(python, ["-m", "nbconvert", "--to", "html", "--execute", "notebook.ipynb"], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin" },
    });
    return { root: folder, pages: ["notebook.html"] };
  },
};

import js from "@eslint/js";
import regexp from "eslint-plugin-regexp";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig([
  globalIgnores(["build/", "dist/", "node_modules/", "test-results/", "playwright-report/"]),
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-console": "off",
      "no-var": "error",
      "prefer-const": "error",
      // TypeScript itself says what is not defined, and better.
      "no-undef": "off",
      // An interface of a mapped type has its members resolved, so that it may be indexed by a type parameter.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    // A promise that nobody waits for loses its error: `void` says that it is meant.
    files: ["**/*.ts", "toolchain/**/*.mjs"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { "@typescript-eslint/no-floating-promises": "error" },
  },
  {
    // What would break the promises of the page: evaluated strings, markup from strings, a text that takes longer than its length.
    files: ["web/**/*.ts"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Build elements with Lit: no markup from strings." },
        { property: "outerHTML", message: "Build elements with Lit: no markup from strings." },
        { property: "insertAdjacentHTML", message: "Build elements with Lit: no markup from strings." },
      ],
    },
  },
  {
    // What runs while the page is built reads files of our own alone.
    files: ["web/build/**/*.ts"],
    rules: { "regexp/no-super-linear-move": "off" },
  },
  {
    // Tests stand on what a person could see, so that the classes behind it may change.
    files: ["tests/browser/**/*.ts", "tests/engines/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          "shadowRoot",
          "renderRoot",
          "updateComplete",
          "playground",
          "scene",
          "boards",
          "standsBack",
          "litBox",
        ]
          .flatMap((name) => [
            `MemberExpression[property.name="${name}"]`,
            `MemberExpression[property.value="${name}"]`,
            `ObjectPattern > Property[key.name="${name}"]`,
          ])
          .map((selector) => ({
            selector,
            message:
              "Read what a person could see: text, roles, boxes and pixels by page.locator(), which finds what is in shadow roots too; numbers by tests/browser/drawn-numbers.ts; or the published API of attention-playground.",
          })),
      ],
    },
  },
]);

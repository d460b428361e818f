/** The types that the library's whole entry exports, as the TypeScript compiler reads them. */
import ts from "typescript";

const entry = new URL("../../web/core/index.ts", import.meta.url).pathname;

const program = ts.createProgram([entry], {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
});
export const checker = program.getTypeChecker();
export const exported = checker.getExportsOfModule(
  checker.getSymbolAtLocation(program.getSourceFile(entry)!)!,
);

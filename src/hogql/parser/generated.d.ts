declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}

declare module '*/hogql-parser.mjs' {
  interface Parser {
    /** JSON of a tree, or of an error. */
    parseSelect(sql: string, withoutPositions?: boolean): string
    parseExpr(sql: string, withoutPositions?: boolean): string
  }

  interface Hooks {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): WebAssembly.Exports
    /** Standard output and error output. */
    print(text: string): void
    printErr(text: string): void
  }

  export default function create(hooks: Hooks): Promise<Parser>
}

// The WASM parser, one instance per isolate, which can be reset to its initial state.
import type create from './generated/hogql-parser.mjs'

/**
 * The parser's own stack has 64 KB without a guard: a sum of 400 terms overflows into the tables below and corrupts later results.
 * JavaScript's stack overflows before this one, and that throws.
 */
const STACK_BYTES = 2 * 1024 * 1024

export type Rule = 'parseSelect' | 'parseExpr'

export interface Parser {
  /**
   * Parses a text; returns JSON. The parser's caches speed up most texts, and slow down nested parentheses exponentially: such a text is
   * parsed `apart`, with empty caches that are then discarded.
   * @throws Error when it runs out of stack or memory
   */
  parse(rule: Rule, sql: string, apart: boolean): string
  /** Bytes of its memory. */
  size(): number
}

/** The exports that `src/cli/build/hogql-parser.ts` adds. */
interface Exports {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  stack_pointer: WebAssembly.Global
}

async function makeParser(createParser: typeof create, module: WebAssembly.Module): Promise<Parser> {
  let exports: Exports | undefined
  const rules = await createParser({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports)
      exports = instance.exports as unknown as Exports
      done(instance, module)
      return instance.exports
    },
    print: () => {},
    printErr: () => {},
  })
  if (!exports) throw new Error('The parser was not instantiated')
  const { memory, malloc, stack_pointer: stackPointer } = exports

  // The first call builds the grammar's tables, which takes most time.
  rules.parseSelect('')
  const stack = malloc(STACK_BYTES)
  const stackTop = (stack + STACK_BYTES) & ~15
  stackPointer.value = stackTop
  // The stack was allocated last: after it comes only the record of the free memory behind it.
  const pristine = new Uint8Array(memory.buffer).slice(0, stack + STACK_BYTES + 64)
  const reset = () => {
    new Uint8Array(memory.buffer).set(pristine)
    stackPointer.value = stackTop
  }

  return {
    parse(rule, sql, apart) {
      if (apart) reset()
      let ended = false
      try {
        const json = rules[rule](sql)
        ended = true
        return json
      } finally {
        if (apart || !ended) reset()
      }
    },
    size: () => memory.buffer.byteLength,
  }
}

/** Memory never shrinks: a parser above this, of the 128 MB of an isolate, is discarded. */
const MAX_MEMORY_BYTES = 32 * 1024 * 1024

let cached: Parser | undefined

/**
 * Runs `work` with the isolate's parser. Two concurrent first requests create one each, since requests cannot share work; one of them
 * stays.
 */
export async function withParser<Result>(work: (parser: Parser) => Result): Promise<Result> {
  const parser = cached ?? (await load())
  try {
    return work(parser)
  } finally {
    if (parser.size() > MAX_MEMORY_BYTES && cached === parser) cached = undefined
  }
}

async function load(): Promise<Parser> {
  const [{ default: createParser }, { default: module }] = await Promise.all([
    import('./generated/hogql-parser.mjs'),
    import('./generated/hogql-parser.wasm'),
  ])
  cached = await makeParser(createParser, module)
  return cached
}

// An instance of the parser, that can be put back to what it was when it was made.
import type create from './generated/hogql-parser.mjs'

/**
 * The stack that the parser is built with has 64 KB, and no guard: a sum of 400 terms runs over it, into the tables below, and from then on
 * whatever is parsed may come out as something else. This much is not used up before the stack of JavaScript is, and that throws.
 */
const STACK_BYTES = 2 * 1024 * 1024

export type Rule = 'parseSelect' | 'parseExpr'

export interface Parser {
  /**
   * Parses a text; returns JSON. What the parser has learnt of earlier texts makes it fast, for most of them. Where parentheses nest it makes it
   * slow: it compares what it meets to all that it knows, in a time that doubles, or worse, with each pair. Such a text is parsed `apart`: by
   * a parser that knows nothing, and forgets what it learns.
   * @throws Error when it runs out of stack or memory
   */
  parse(rule: Rule, sql: string, apart: boolean): string
  /** Bytes of memory that it has taken so far. */
  size(): number
}

/** What `src/cli/hogql-parser.ts` has the module export. */
interface Exports {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  stack_pointer: WebAssembly.Global
}

/** Makes an instance. */
export async function makeParser(createParser: typeof create, module: WebAssembly.Module): Promise<Parser> {
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

  // The tables of the grammar, which take the most time, are made when it is first called.
  rules.parseSelect('')
  const stack = malloc(STACK_BYTES)
  const stackTop = (stack + STACK_BYTES) & ~15
  stackPointer.value = stackTop
  // The block was taken last, and what is said of the free memory behind it is the last that there is.
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

// The parser, made once an isolate and only where a query is parsed: instantiating it takes longer than most requests.
/** Memory never shrinks: a parser that has taken more than this, of the 128 MB of an isolate, is given up. */
const MOST_KEPT = 32 * 1024 * 1024

let made: Parser | undefined

/**
 * Has something done by the parser of this isolate. Two requests that are the first at once each make one, and one of them stays: work is never
 * shared between requests.
 */
export async function withParser<Result>(work: (parser: Parser) => Result): Promise<Result> {
  const parser = made ?? (await load())
  try {
    return work(parser)
  } finally {
    if (parser.size() > MOST_KEPT && made === parser) made = undefined
  }
}

async function load(): Promise<Parser> {
  const [{ default: createParser }, { default: module }] = await Promise.all([
    import('./generated/hogql-parser.mjs'),
    import('./generated/hogql-parser.wasm'),
  ])
  made = await makeParser(createParser, module)
  return made
}

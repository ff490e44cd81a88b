// The parser, made once an isolate and only where a query is parsed: instantiating it takes longer than most requests.
import type create from './generated/hogql-parser.mjs'

type Parser = Awaited<ReturnType<typeof create>>

let made: Parser | undefined

/** The parser of this isolate. Two requests that are the first at once each make one, and one of them stays: work is never shared between requests. */
export async function loadParser(): Promise<Parser> {
  return (made ??= await makeParser())
}

/**
 * A parser that has seen nothing. They learn from what they parse, and one that has learnt from many texts that nest takes seconds, and
 * then minutes, for the next that nests deeper; a new one takes no longer than a new one ever does.
 */
export async function makeParser(): Promise<Parser> {
  const [{ default: createParser }, { default: module }] = await Promise.all([
    import('./generated/hogql-parser.mjs'),
    import('./generated/hogql-parser.wasm'),
  ])
  return createParser({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance, module)
      return instance.exports
    },
  })
}

/** Has the next query make a parser anew: one that ran out of stack is of no use any more. */
export function dropParser(parser: Parser): void {
  if (made === parser) made = undefined
}

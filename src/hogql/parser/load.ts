// The parser, made once an isolate and only where a query is parsed: instantiating it takes longer than most requests.
import type create from './generated/hogql-parser.mjs'

type Parser = Awaited<ReturnType<typeof create>>

let made: Parser | undefined

/** The parser of this isolate. Two requests that are the first at once each make one, and one of them stays: work is never shared between requests. */
export async function loadParser(): Promise<Parser> {
  if (made) return made
  const [{ default: createParser }, { default: module }] = await Promise.all([
    import('./generated/hogql-parser.mjs'),
    import('./generated/hogql-parser.wasm'),
  ])
  made = await createParser({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance, module)
      return instance.exports
    },
  })
  return made
}

/** Has the next query make a parser anew: one that ran out of stack is of no use any more. */
export function dropParser(parser: Parser): void {
  if (made === parser) made = undefined
}

// The parser, made once an isolate and only where a query is parsed: instantiating it takes longer than most requests.
import { makeParser, type Parser } from './instance'

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

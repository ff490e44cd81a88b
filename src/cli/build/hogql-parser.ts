// `npm install` ends with this: makes of the parser's package what a Worker can load. The package carries its WebAssembly as a string that is
// compiled when it starts, which Workers refuse; here it becomes a module file, and its code a copy without the string.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { changeModule } from './webassembly'

const FOLDER = join(import.meta.dirname, '../../hogql/parser/generated')

/** How the string stands in the code: `function findWasmBinary(){return binaryDecode('…')}`. */
const STRING_STARTS = "function findWasmBinary(){return binaryDecode('"
const STRING_ENDS = "')}function getBinarySync"

const require = createRequire(import.meta.url)
const installed = dirname(require.resolve('@posthog/hogql-parser'))
const { version } = JSON.parse(readFileSync(join(installed, '../package.json'), 'utf8')) as {
  version: string
}

/** 64 MB: half of what an isolate has. */
const MOST_PAGES = 1024

/** How the code names what `src/hogql/parser/instance.ts` has to get at. */
const MALLOC = /_malloc=wasmExports\["(\w+)"\]/
const MEMORY = /memory=wasmMemory=wasmExports\["(\w+)"\]/

/** Runs the package once, and keeps the bytes that it hands to WebAssembly. */
async function extractBytes(): Promise<Uint8Array> {
  const { instantiate } = WebAssembly
  let bytes: Uint8Array | undefined
  WebAssembly.instantiate = ((source: Uint8Array, imports: WebAssembly.Imports) => {
    bytes = source
    return instantiate(source as BufferSource, imports)
  }) as typeof instantiate
  try {
    const { default: create } = await import('@posthog/hogql-parser')
    await create()
  } finally {
    WebAssembly.instantiate = instantiate
  }
  if (bytes === undefined) throw new Error('@posthog/hogql-parser did not compile any WebAssembly')
  return bytes
}

const NOT_AS_IT_WAS = '@posthog/hogql-parser is not built as it was'

function codeWithoutString(): string {
  const code = readFileSync(join(installed, 'hogql_parser_wasm_browser.js'), 'utf8')
  const start = code.indexOf(STRING_STARTS)
  const end = code.indexOf(STRING_ENDS)
  if (start < 0 || end < start) throw new Error(NOT_AS_IT_WAS)
  return code.slice(0, start + STRING_STARTS.length) + code.slice(end)
}

/** What the code calls an export of the module. */
function nameIn(code: string, pattern: RegExp): { as: string } {
  const [, name] = pattern.exec(code) ?? []
  if (name === undefined) throw new Error(NOT_AS_IT_WAS)
  return { as: name }
}

/** Whole files only: somebody else may be reading. */
function write(name: string, content: string | Uint8Array): void {
  const path = join(FOLDER, name)
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

/** Of what the files are made. */
function origin(): string {
  const hash = createHash('sha256').update(version)
  for (const file of ['hogql-parser.ts', 'webassembly.ts']) {
    hash.update(readFileSync(join(import.meta.dirname, file)))
  }
  return hash.digest('hex')
}

const stamp = join(FOLDER, 'made-of.txt')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== origin()) {
  mkdirSync(FOLDER, { recursive: true })
  const code = codeWithoutString()
  const bytes = changeModule(await extractBytes(), {
    exports: {
      malloc: nameIn(code, MALLOC),
      memory: nameIn(code, MEMORY),
      stack_pointer: 'stack pointer',
    },
    mostPages: MOST_PAGES,
  })
  write('hogql-parser.wasm', bytes)
  write('hogql-parser.mjs', code)
  write('made-of.txt', origin())
}

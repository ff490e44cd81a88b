// After installing: the package embeds its WebAssembly as a string and compiles it at start, which Workers do not allow. This writes it to a module
// file, and a copy of the code without the string.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { changeModule } from './webassembly'

const FOLDER = join(import.meta.dirname, '../../hogql/parser/generated')

/** `function findWasmBinary(){return binaryDecode('…')}` */
const STRING_STARTS = "function findWasmBinary(){return binaryDecode('"
const STRING_ENDS = "')}function getBinarySync"

const require = createRequire(import.meta.url)
const installed = dirname(require.resolve('@posthog/hogql-parser'))
const { version } = JSON.parse(readFileSync(join(installed, '../package.json'), 'utf8')) as {
  version: string
}

/** 64 MB: half of what an isolate has. */
const MAX_PAGES = 1024

/** The names of the exports that `src/hogql/parser/instance.ts` uses. */
const MALLOC = /_malloc=wasmExports\["(\w+)"\]/
const MEMORY = /memory=wasmMemory=wasmExports\["(\w+)"\]/

/** Runs the package once, and intercepts the bytes that it compiles. */
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

const UNEXPECTED_CODE = 'The code of @posthog/hogql-parser has changed: adapt src/cli/build/hogql-parser.ts'

function codeWithoutString(): string {
  const code = readFileSync(join(installed, 'hogql_parser_wasm_browser.js'), 'utf8')
  const start = code.indexOf(STRING_STARTS)
  const end = code.indexOf(STRING_ENDS)
  if (start < 0 || end < start) throw new Error(UNEXPECTED_CODE)
  return code.slice(0, start + STRING_STARTS.length) + code.slice(end)
}

function exportNamed(code: string, pattern: RegExp): { as: string } {
  const [, name] = pattern.exec(code) ?? []
  if (name === undefined) throw new Error(UNEXPECTED_CODE)
  return { as: name }
}

/** Atomically: other processes may read. */
function write(name: string, content: string | Uint8Array): void {
  const path = join(FOLDER, name)
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

function sourceHash(): string {
  const hash = createHash('sha256').update(version)
  for (const file of ['hogql-parser.ts', 'webassembly.ts']) {
    hash.update(readFileSync(join(import.meta.dirname, file)))
  }
  return hash.digest('hex')
}

const stamp = join(FOLDER, 'source-hash.txt')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash()) {
  mkdirSync(FOLDER, { recursive: true })
  const code = codeWithoutString()
  const bytes = changeModule(await extractBytes(), {
    exports: {
      malloc: exportNamed(code, MALLOC),
      memory: exportNamed(code, MEMORY),
      stack_pointer: 'stack pointer',
    },
    maxPages: MAX_PAGES,
  })
  write('hogql-parser.wasm', bytes)
  write('hogql-parser.mjs', code)
  write('source-hash.txt', sourceHash())
}

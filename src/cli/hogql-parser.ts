// `npm install` ends with this: makes of the parser's package what a Worker can load. The package carries its WebAssembly as a string that is
// compiled when it starts, which Workers refuse; here it becomes a module file, and its code a copy without the string.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../hogql/parser/generated')

/** How the string stands in the code: `function findWasmBinary(){return binaryDecode('…')}`. */
const STRING_STARTS = "function findWasmBinary(){return binaryDecode('"
const STRING_ENDS = "')}function getBinarySync"

const require = createRequire(import.meta.url)
const installed = dirname(require.resolve('@posthog/hogql-parser'))
const { version } = JSON.parse(readFileSync(join(installed, '../package.json'), 'utf8')) as {
  version: string
}

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

function codeWithoutString(): string {
  const code = readFileSync(join(installed, 'hogql_parser_wasm_browser.js'), 'utf8')
  const start = code.indexOf(STRING_STARTS)
  const end = code.indexOf(STRING_ENDS)
  if (start < 0 || end < start) throw new Error('@posthog/hogql-parser is not built as it was')
  return code.slice(0, start + STRING_STARTS.length) + code.slice(end)
}

/** Whole files only: somebody else may be reading. */
function write(name: string, content: string | Uint8Array): void {
  const path = join(FOLDER, name)
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

const stamp = join(FOLDER, 'version.txt')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
  mkdirSync(FOLDER, { recursive: true })
  write('hogql-parser.wasm', await extractBytes())
  write('hogql-parser.mjs', codeWithoutString())
  write('version.txt', version)
}

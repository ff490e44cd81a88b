import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, 'ESModule' | 'CompiledWasm' | 'Text'>> = {
  '.js': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
}

/** Returns the modules of a bundle for Miniflare, with their contents: the entry first, then its imports. */
export const readModules = (folder: string, entry = 'index.js') =>
  readdirSync(folder)
    .filter((file) => TYPES[extname(file)])
    .sort((a, b) => Number(b === entry) - Number(a === entry))
    .map((file) => {
      const type = TYPES[extname(file)]!
      const path = join(folder, file)
      const contents = readFileSync(path)
      return { type, path, contents: type === 'CompiledWasm' ? contents : contents.toString() }
    })

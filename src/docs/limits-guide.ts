// Writes the limits of the code into the guide, in which a comment after a number names its constant: `50 <!-- MAX_TILES -->`.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A number, its unit, and the constant, after its file if others have one of this name: `10 KiB <!-- file/NAME.member -->`. */
const LIMIT = /([\d,.]{1,20})( [A-Za-z]{1,9})? <!-- (?:([\w-]{1,60})\/)?(\w{1,60})(?:\.(\w{1,60}))? -->/g

/** The names of the constants in the guide. */
export const limitsIn = (guide: string): string[] => [...guide.matchAll(LIMIT)].map(([, , , , name]) => name!)

/** Returns what the constants count in a unit, which `_MS` of a constant has thousands of. */
function sizeOf(unit: string | undefined, name: string): number {
  if (unit === ' s') return name.endsWith('_MS') ? 1000 : 1
  return { ' KiB': 1024, ' MiB': 1024 ** 2, ' MB': 1e6 }[unit ?? ''] ?? 1
}

/**
 * Returns the guide with the limits of the code.
 * @param folder of the code
 * @throws Error for a comment that names no number, or several
 */
export async function withLimits(guide: string, folder: string): Promise<string> {
  const sources = globSync('**/*.ts', { cwd: folder }).map((path) => {
    return { path: join(folder, path), text: readFileSync(join(folder, path), 'utf8') }
  })
  const written = [...guide.matchAll(LIMIT)].map(async ([limit, number, unit, file, name, member]) => {
    const declarations = [`\nexport const ${name} `, `\nexport const ${name}:`]
    const [source, ...others] = sources.filter(
      ({ path, text }) =>
        (!file || basename(path, '.ts') === file) && declarations.some((each) => text.includes(each)),
    )
    const constant = source && others.length === 0 ? (await import(source.path))[name!] : null
    const value: unknown = member ? constant?.[member] : constant
    if (typeof value !== 'number')
      throw new Error(`the guide of limits has "${limit}", which names no number`)
    return limit.replace(number!, (value / sizeOf(unit, name!)).toLocaleString('en'))
  })
  const limits = await Promise.all(written)
  return guide.replaceAll(LIMIT, () => limits.shift()!)
}

// Checks the map of areas in CONTRIBUTING.md against the folders and the import rules of the linter.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { CLOSED, LAYERS } from '../../oxlint.config'

const ROW = /^\| `src\/(\w+)\/` +\| (.*?) +\| (.*?) +\|$/gm
const SUBFOLDER = /`([\w-]+\/)`/g

/** Returns what an area may import, in the words of the map. */
const importsOf = (area: string): string =>
  (LAYERS[area] ?? CLOSED[area] ?? ['any area']).join(', ').replaceAll('/**', '') || 'nothing'

/** @throws Error that lists areas and folders that are missing in the map or on disk, and imports that differ from the rules */
export function checkFolderMap(): void {
  const rows = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(ROW)].map(
    ([, area = '', contents = '', imports = '']) => ({ area, contents, imports }),
  )
  const areas = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const named = rows.flatMap(({ area, contents }) => [
    `src/${area}/`,
    ...[...contents.matchAll(SUBFOLDER)].map(([, name = '']) => `src/${area}/${name}`),
  ])
  const faults = [
    ...named.filter((folder) => !existsSync(folder)).map((folder) => `${folder} does not exist`),
    ...areas
      .filter((area) => !rows.some((row) => row.area === area))
      .map((area) => `src/${area}/ is not in the map`),
    ...rows
      .filter(({ area, imports }) => imports !== importsOf(area))
      .map(({ area }) => `src/${area}/ may import ${importsOf(area)}`),
  ]
  if (faults.length > 0) throw new Error(`CONTRIBUTING.md: ${faults.join(', ')}`)
}

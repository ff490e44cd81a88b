// Whether the README's map of folders is the house as it stands.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROW = /^\| `([\w/]+\/)`[^|]*\| (.*) \|$/gm
const NAME = /`([\w-]+\/)`/g

/**
 * Holds the map against the folders: each that it names is there, and each folder of `src/`, two deep, is named.
 * @throws Error that lists what is not so
 */
export function checkFolderMap(root: string): void {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(ROW)].map(([, folder = '', holds = '']) => ({
    folder,
    within: [...holds.matchAll(NAME)].map(([, name = '']) => `${folder}${name}`),
  }))
  const named = rows.flatMap(({ folder, within }) => [folder, ...within])
  const there = foldersIn(root, 'src/').flatMap((folder) => [folder, ...foldersIn(root, folder)])
  const faults = [
    ...named.filter((folder) => !existsSync(join(root, folder))).map((folder) => `${folder} is not there`),
    ...there.filter((folder) => !named.includes(folder)).map((folder) => `${folder} is not in the map`),
  ]
  if (faults.length > 0) throw new Error(`README.md: ${faults.join(', ')}`)
}

const foldersIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}${name}/`)

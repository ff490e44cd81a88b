// Checks texts that people read for words that CONTRIBUTING.md's "Style" excludes: guides, texts in the code and titles of tests; and comments
// and texts for contributors for names of files that do not exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { anchorOf } from '../../src/docs/markdown'

const EXCLUDED = /\b(told|nobody|whoever|meanwhile|anew|what is no|goes on|way back)\b/i

const QUOTED = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`'
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$|\s\/\/ .*$/gm

/** The texts, by folder or file. */
const TEXTS: readonly [paths: string, text: RegExp][] = [
  ['*.md', /.+/g],
  ['src/docs/**/*.md', /.+/g],
  ['src/**/*.{ts,tsx}', new RegExp(`${QUOTED}|>[^<>{}]+<`, 'g')],
  [
    'test/**/*.test.ts',
    new RegExp(String.raw`(?:\b(?:it|describe|test)(?:\.\w+)?|\))\(\s*(?:${QUOTED})`, 'g'),
  ],
]

/** Matches a file that a comment names, with or without folders. */
const FILE_NAME = /(?<![\w.-])(?:[\w.-]+\/)*([\w-]+(?:\.test)?\.tsx?)\b/g

/** Matches the citation of a fact about the upstream service: a page of `src/docs/reference/`, and a heading of it. */
const CITATION = /\breference\/([\w-]+\.md)(?:#([\w-]+))?/g
const HEADING = /^#+ (.+)$/gm

/** Returns names in comments of files that do not exist, and citations of pages or headings that do not. */
function staleComments(): string[] {
  const read = (file: string) => readFileSync(file, 'utf8')
  const pages = new Map(
    globSync('src/docs/reference/*.md').map((file) => [
      basename(file),
      new Set([...read(file).matchAll(HEADING)].map(([, heading]) => anchorOf(heading!))),
    ]),
  )
  const options = { exclude: (name: string) => name === 'node_modules' }
  const files = globSync('{src,test,drizzle}/**/*.{ts,tsx}', options)
  const names = new Set(files.map((file) => basename(file)))
  return files.flatMap((file) => {
    const comments = (read(file).match(COMMENT) ?? []).join('\n')
    const unknown = [...comments.matchAll(FILE_NAME)].filter(([, name]) => !names.has(name!))
    const uncited = [...comments.matchAll(CITATION)].filter(([, page, anchor]) => {
      const anchors = pages.get(page!)
      return !anchors || (anchor !== undefined && !anchors.has(anchor))
    })
    return [...unknown, ...uncited].map(([cited]) => `${file}: there is no ${cited}`)
  })
}

/** Texts for contributors, which name folders and files of the sources. */
const FOR_CONTRIBUTORS = '{CONTRIBUTING.md,src/docs/{decisions,reference}/*.md}'
const SOURCE = /`((?:src|test|drizzle)\/[\w./-]+)`/g

function stalePaths(): string[] {
  return globSync(FOR_CONTRIBUTORS).flatMap((file) => {
    const content = readFileSync(file, 'utf8')
    const paths = [...content.matchAll(SOURCE)].map(([, path]) => path!)
    return paths.filter((path) => !existsSync(path)).map((path) => `${file}: there is no ${path}`)
  })
}

/** @throws Error that lists the texts with an excluded word, and missing files that comments and texts for contributors name */
export function checkWords(): void {
  const faults = TEXTS.flatMap(([paths, text]) =>
    globSync(paths, { exclude: (name) => name === 'node_modules' }).flatMap((file) => {
      const content = readFileSync(file, 'utf8')
      const searched = file.endsWith('.md') ? content : content.replaceAll(COMMENT, '')
      return [...searched.matchAll(text)]
        .filter(([found]) => EXCLUDED.test(found))
        .map(([found]) => `${file}: ${found}`)
    }),
  )
  faults.push(...staleComments(), ...stalePaths())
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

// Checks texts that people read for words that CONTRIBUTING.md's "Style" excludes: guides, texts in the code and titles of tests.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const EXCLUDED = /\b(told|nobody|whoever|meanwhile|anew|what is no|goes on|way back)\b/i

const QUOTED = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`'
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$|\s\/\/ .*$/gm

/** By folder or file: the texts of its files. */
const TEXTS: readonly [paths: string, text: RegExp][] = [
  ['*.md', /.+/g],
  ['src/docs/**/*.md', /.+/g],
  ['src/**/*.{ts,tsx}', new RegExp(`${QUOTED}|>[^<>{}]+<`, 'g')],
  ...[
    'account,activity,analytics,auth,browser,cli,clickhouse,conformance,console,docs,endpoints,evaluation,flag-file,flags,fuzz',
    'growth,health,hogql,hostile,http,import,mcp,operator,outbox,project,queues,retention,sdk,security,snapshots',
    'spec,stalls,storage,webhooks',
  ].map((folders): [string, RegExp] => [
    `test/{${folders}}/**/*.test.ts`,
    new RegExp(String.raw`(?:\b(?:it|describe|test)(?:\.\w+)?|\))\(\s*(?:${QUOTED})`, 'g'),
  ]),
]

/** @throws Error that lists the texts with an excluded word */
export function checkWords(root: string): void {
  const faults = TEXTS.flatMap(([paths, text]) =>
    globSync(paths, { cwd: root, exclude: (name) => name === 'node_modules' }).flatMap((file) => {
      const content = readFileSync(join(root, file), 'utf8')
      const searched = file.endsWith('.md') ? content : content.replaceAll(COMMENT, '')
      return [...searched.matchAll(text)]
        .filter(([found]) => EXCLUDED.test(found))
        .map(([found]) => `${file}: ${found}`)
    }),
  )
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

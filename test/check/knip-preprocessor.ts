// Tells knip which exports are used: src/docs/collect.ts finds exports `xDocs` by their name, and with each the schema or operation `x`.
// src/docs/limits-guide.ts finds the constants that the guide of limits names.
import { readFileSync } from 'node:fs'
import type { Preprocessor } from 'knip'
import { limitsIn } from '../../src/docs/limits-guide'

const LIMITS = limitsIn(readFileSync('src/docs/guide/limits.md', 'utf8'))

const ignoreDocs: Preprocessor = (options) => {
  for (const names of Object.values(options.issues.exports)) {
    const documented = Object.keys(names).filter((name) => name.endsWith('Docs'))
    const used = [...LIMITS, ...documented.flatMap((docs) => [docs, docs.slice(0, -'Docs'.length)])]
    for (const name of used) {
      if (!(name in names)) continue
      delete names[name]
      options.counters.exports -= 1
    }
  }
  return options
}

export default ignoreDocs

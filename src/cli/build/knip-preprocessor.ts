// Tells knip which exports are used: src/docs/collect.ts finds exports `xDocs` by their name, and with each the schema or operation `x`.
import type { Preprocessor } from 'knip'

const ignoreDocs: Preprocessor = (options) => {
  for (const names of Object.values(options.issues.exports)) {
    const documented = Object.keys(names).filter((name) => name.endsWith('Docs'))
    for (const name of documented.flatMap((docs) => [docs, docs.slice(0, -'Docs'.length)])) {
      if (!(name in names)) continue
      delete names[name]
      options.counters.exports -= 1
    }
  }
  return options
}

export default ignoreDocs

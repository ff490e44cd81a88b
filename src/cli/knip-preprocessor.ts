// For knip: src/docs/collect.ts finds exports `xDocs` by their name, so they are used.
import type { Preprocessor } from 'knip'

const ignoreDocs: Preprocessor = (options) => {
  for (const names of Object.values(options.issues.exports)) {
    for (const name of Object.keys(names)) {
      if (!name.endsWith('Docs')) continue
      delete names[name]
      options.counters.exports -= 1
    }
  }
  return options
}

export default ignoreDocs

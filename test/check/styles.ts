// Checks that no style sheet of the console styles the elements of another: each page has the styles of all pages.
import { globSync, readFileSync } from 'node:fs'

/** The sheet whose names other sheets may add to names of their own. */
const SHARED = 'src/console/design/base.css'
/** The sheet that adapts the elements of all others. */
const ADAPTING = 'src/console/design/forced-colors.css'

const COMMENT = /\/\*[\s\S]*?\*\//g
const SELECTORS = /[^{};]+(?=\{)/g
const ARGUMENTS = /\([^()]*\)/g
const COMBINATORS = /[\s>+~]+/
const CLASS = /\.[\w-]+/g
/** Matches a name that nothing limits to some elements, except their state. */
const ALONE = /^\.[\w-]+(?:::?[\w-]+)*$/

interface Use {
  name: string
  sheet: string
  selector: string
  /** Whether the selector matches every element of the name, or what is in it. Otherwise they have another name before it. */
  isAlone: boolean
}

function usesIn([sheet, text]: Sheet): Use[] {
  const selectors = (text.replace(COMMENT, '').match(SELECTORS) ?? []).flatMap((list) =>
    list.replace(ARGUMENTS, '[]').replace(ARGUMENTS, '[]').split(','),
  )
  return selectors.flatMap((written) => {
    const selector = written.trim()
    return selector.split(COMBINATORS).flatMap((part, at) => {
      const [first = '', ...added] = part.match(CLASS) ?? []
      const names = at === 0 && ALONE.test(part) ? [first] : added
      return names.map((name) => ({ name, sheet, selector, isAlone: name === first }))
    })
  })
}

type Sheet = readonly [path: string, text: string]

/** Returns the names that one sheet defines, and another one has for elements of its own. */
export function sharedNames(sheets: readonly Sheet[]): string[] {
  const uses = sheets.flatMap(usesIn)
  const faults = uses.flatMap(({ name, sheet, isAlone }) => {
    const other = uses.find(
      (each) => each.name === name && each.sheet !== sheet && (each.isAlone || sheet !== SHARED),
    )
    return isAlone && other ? [`${sheet}: ${name} is a name of ${other.sheet}, too: ${other.selector}`] : []
  })
  return [...new Set(faults)]
}

/** @throws Error that lists the names of two sheets */
export function checkStyles(): void {
  const options = { exclude: (name: string) => name === 'node_modules' }
  const paths = globSync('src/console/**/*.css', options).filter((path) => path !== ADAPTING)
  const faults = sharedNames(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

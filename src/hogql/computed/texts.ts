// Converts versions to texts that sort in the order of versions, and codes of languages with two letters (ISO 639-1) to English names,
// which come from the runtime.

/** A version of SemVer, with the three numbers as its first group. */
export const SEMVER = String.raw`^\s*v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:[-+]\S*)?\s*$`

const WIDTH = 19

export const sortable = (numbers: readonly number[]): string =>
  numbers.map((number) => String(number).padStart(WIDTH, '0')).join('.')

/** Returns a text that sorts like the version. It is empty for a text that is not a version. */
export function sortableVersion(text: string): string {
  const [, numbers] = new RegExp(SEMVER).exec(text) ?? []
  return numbers === undefined
    ? ''
    : numbers
        .split('.')
        .map((number) => number.padStart(WIDTH, '0'))
        .join('.')
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

let known: ReadonlyMap<string, string> | null = null

export function languageNames(): ReadonlyMap<string, string> {
  known ??= readNames()
  return known
}

function readNames(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return new Map(
    LETTERS.flatMap((first) =>
      LETTERS.flatMap((second): [string, string][] => {
        const name = names.of(first + second)
        return name === undefined ? [] : [[first + second, name]]
      }),
    ),
  )
}

/** Returns the name of a language, or the code itself when it is unknown. */
export const languageName = (code: string): string => languageNames().get(code) ?? code

// Versions as texts that sort as they do, and English names of languages by their code of two letters (ISO 639-1), as the runtime knows them.

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

/** The code itself where it is of no language. */
export const languageName = (code: string): string => languageNames().get(code) ?? code

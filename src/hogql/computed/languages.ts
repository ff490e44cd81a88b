// English names of languages by their code of two letters (ISO 639-1), as the runtime knows them.

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

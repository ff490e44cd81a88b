// Versions as texts that sort as they do.

/** A version of SemVer, with the three numbers as its first group. */
export const SEMVER = String.raw`^\s*v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:[-+]\S*)?\s*$`

const WIDTH = 19

export const sortable = (numbers: readonly number[]): string =>
  numbers.map((number) => String(number).padStart(WIDTH, '0')).join('.')

/** Empty for a text that is not a version. */
export function sortableVersion(text: string): string {
  const [, numbers] = new RegExp(SEMVER).exec(text) ?? []
  return numbers === undefined
    ? ''
    : numbers
        .split('.')
        .map((number) => number.padStart(WIDTH, '0'))
        .join('.')
}

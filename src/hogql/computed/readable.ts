// Writes numbers as readable texts, as ClickHouse does, for D1.

const scaled = (value: number, factor: number, units: readonly string[]): string => {
  let [rest, step] = [value, 0]
  while (Math.abs(rest) >= factor && step < units.length - 1) {
    rest /= factor
    step += 1
  }
  return rest.toFixed(2) + units[step]
}

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'].map((unit) => ` ${unit}`)

const QUANTITIES = [
  '',
  ...'thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'
    .split(' ')
    .map((unit) => ` ${unit}`),
]

export const readableSize = (text: string): string => scaled(Number(text), 1024, SIZES)
export const readableQuantity = (text: string): string => scaled(Number(text), 1000, QUANTITIES)

const DAY = 86_400

const SPANS: readonly [name: string, seconds: number][] = [
  ['year', 365 * DAY],
  ['month', 30.5 * DAY],
  ['day', DAY],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** Returns text such as `1 hour, 1 minute and 40 seconds`. */
export function readableTimeDelta(text: string): string {
  let rest = Math.trunc(Math.abs(Number(text)))
  const parts: string[] = []
  for (const [name, seconds] of SPANS) {
    const count = Math.trunc(rest / seconds)
    rest -= count * seconds
    if (count > 0 || (name === 'second' && parts.length === 0))
      parts.push(`${count} ${name}${count === 1 ? '' : 's'}`)
  }
  const last = parts.pop() ?? ''
  const sign = Number(text) <= -1 ? '-' : ''
  return sign + (parts.length > 0 ? `${parts.join(', ')} and ${last}` : last)
}

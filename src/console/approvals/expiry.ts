// Converts the expiry of a request for approval between the API's form and a number of a unit. The functions are pure.

const MINUTES = { days: 1_440, hours: 60, minutes: 1 } as const

export type Unit = keyof typeof MINUTES

export interface Expiry {
  count: number
  unit: Unit
}

export const UNITS = [
  ['days', 'days'],
  ['hours', 'hours'],
  ['minutes', 'minutes'],
] as const satisfies readonly (readonly [Unit, string])[]

/** @param duration such as `14 00:00:00` or `01:30:00`; it may have a fraction of seconds. Seconds count as a whole minute. */
export function readExpiry(duration: string): Expiry {
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^(?:(\d+) )?(\d+):(\d+):(\d+)/.exec(duration) ?? []
  const all = Number(days) * 1_440 + Number(hours) * 60 + Number(minutes) + Math.ceil(Number(seconds) / 60)
  const [unit] = UNITS.find(([each]) => all % MINUTES[each] === 0)!
  return { count: all / MINUTES[unit], unit }
}

/** Returns the form of the API, such as `1 12:00:00` for 36 hours. */
export function writeExpiry({ count, unit }: Expiry): string {
  const all = count * MINUTES[unit]
  const time = [Math.floor((all % 1_440) / 60), all % 60, 0].map((part) => String(part).padStart(2, '0'))
  return `${Math.floor(all / 1_440)} ${time.join(':')}`
}

/** Returns words such as `14 days` or `1 hour`. */
export function expiryWords(duration: string): string {
  const { count, unit } = readExpiry(duration)
  return `${count.toLocaleString('en')} ${count === 1 ? unit.slice(0, -1) : unit}`
}

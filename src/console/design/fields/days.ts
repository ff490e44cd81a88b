// Defines days of the browser's time zone, `YYYY-MM-DD`.

/** A year that begins with 0 is not typed to its end. */
const DAY = /^[1-9]\d{3}-\d\d-\d\d$/

export const isDay = (text: string | undefined): text is string =>
  text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text))

/** Returns the first moment of the day. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

/** Returns the first moment after the day. */
export function endOfDay(day: string): string {
  const end = new Date(`${day}T00:00:00`)
  end.setDate(end.getDate() + 1)
  return end.toISOString()
}

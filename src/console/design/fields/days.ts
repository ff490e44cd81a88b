// Defines days of the browser's time zone, `YYYY-MM-DD`.

export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Returns the first moment of the day. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

/** Returns the first moment after the day. */
export function endOfDay(day: string): string {
  const end = new Date(`${day}T00:00:00`)
  end.setDate(end.getDate() + 1)
  return end.toISOString()
}

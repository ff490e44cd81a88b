// Moments as pages show them. In UTC: the pages run no scripts that could ask the browser for its zone.

const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** `Mar 10, 2026, 12:00 PM UTC`. */
export const dateTimeText = (timestamp: string): string => `${FORMAT.format(new Date(timestamp))} UTC`

// How many days rows are kept, where operators may choose.

/** What applies where a setting is absent. Empty: rows are kept. */
export const DEFAULT_DAYS = {
  EVENTS_RETENTION_DAYS: '',
  ACTIVITY_RETENTION_DAYS: '730',
  DELETED_RETENTION_DAYS: '90',
} as const

export type DaysSetting = keyof typeof DEFAULT_DAYS

export type DaysSettings = Partial<Record<DaysSetting, string>>

/** The days of a setting; null: rows are kept. A value that is not a number of days must not delete anything. */
export function daysIn(settings: DaysSettings, name: DaysSetting): number | null {
  const days = settings[name] ?? DEFAULT_DAYS[name]
  return /^[1-9]\d{0,4}$/.test(days) ? Number(days) : null
}

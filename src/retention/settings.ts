// Settings of how long rows are kept, or how many of them, which operators may choose.

/** Defaults of absent settings. An empty setting keeps the rows. */
export const DEFAULTS = {
  EVENTS_RETENTION_DAYS: '',
  MOVED_EVENTS_RETENTION_DAYS: '',
  ACTIVITY_RETENTION_DAYS: '730',
  DELETED_RETENTION_DAYS: '90',
  VERSION_RETENTION_COUNT: '100',
} as const

export type RetentionSetting = keyof typeof DEFAULTS

export type RetentionSettings = Partial<Record<RetentionSetting, string>>

/** Returns the number of a setting, or null when rows are kept. A value that is not a number must not delete anything. */
export function numberIn(settings: RetentionSettings, name: RetentionSetting): number | null {
  const value = settings[name] ?? DEFAULTS[name]
  return /^[1-9]\d{0,4}$/.test(value) ? Number(value) : null
}

// What a row is, and the moments and ids that rows of several tables share.

type Value = string | number | null
export type Row = Readonly<Record<string, Value>>
export type Rows = Record<string, Row[]>

export const AT = '2026-03-01T08:00:00.000000Z'
export const LATER = '2026-03-09T08:00:00.000000Z'
export const SOON = '2026-03-20T08:00:00.000000Z'
/** Numbered across all tables. */
export const id = (number: number) => `0195a000-0000-7000-8000-${String(number).padStart(12, '0')}`
export const ORGANIZATION = id(1)

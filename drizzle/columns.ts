// Column kinds that every area shares, so that one idea is stored in one way.
import { customType, integer, text } from 'drizzle-orm/sqlite-core'

/** ISO 8601 UTC text, always with six fractional digits, so that text order is time order. */
export const timestamp = (name: string) => text(name)

/** 0 or 1. */
export const boolean = (name: string) => integer(name, { mode: 'boolean' })

/** A JSON document. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

/**
 * A JSON document in SQLite's binary form, which is searched without being parsed. Only SQL writes and reads it: `jsonb(…)` in,
 * `json(…)` or `->>` out.
 */
export const jsonb = customType<{ data: never; driverData: never }>({ dataType: () => 'blob' })

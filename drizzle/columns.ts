// Column kinds that every area shares, so that one idea is stored in one way.
import { integer, text } from 'drizzle-orm/sqlite-core'

/** ISO 8601 UTC text, always with six fractional digits, so that text order is time order. */
export const timestamp = (name: string) => text(name)

/** 0 or 1. */
export const boolean = (name: string) => integer(name, { mode: 'boolean' })

/** A JSON document. */
export const json = <T>(name: string) => text(name, { mode: 'json' }).$type<T>()

import { Column, is, SQL } from 'drizzle-orm'

/** An expression that a statement selects. */
export type Selected = Column | SQL | SQL.Aliased

/** Turns a value of D1 that is not null into that of the row. */
interface Decoder {
  mapFromDriverValue(value: unknown): unknown
}

/** The decoder that Drizzle has for a selected column or expression. */
export function decoderOf(selected: Selected): Decoder {
  if (is(selected, Column)) return selected
  return ((is(selected, SQL) ? selected : selected.sql) as unknown as { decoder: Decoder }).decoder
}

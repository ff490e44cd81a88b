// Defines the titles of dashboards and of their tiles. The functions are pure.
import { capitalized } from '../grammar/words'

/** Matches the names that the service gives to usage dashboards. */
const GENERATED = /^Generated Dashboard: (.+) Usage$/

/** Whether the service created a dashboard for a flag. */
export const isGenerated = (name: string): boolean => GENERATED.test(name)

export const titleOf = ({ id, name }: { id: number; name: string }): string =>
  GENERATED.exec(name)?.[1] ?? (name || `Dashboard ${id}`)

/** Converts the name of a saved query, which is part of an address, to a title: `weekly-sign_ups` becomes `Weekly sign ups`. */
export const titleOfQuery = (name: string): string =>
  capitalized(name.replaceAll('-', ' ').replaceAll('_', ' ').trim())

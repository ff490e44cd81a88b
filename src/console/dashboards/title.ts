// What pages call a dashboard and its tiles. Pure.
import { capitalized } from '../grammar/conditions'

/** The names of usage dashboards, as the service gives them. */
const GENERATED = /^Generated Dashboard: (.+) Usage$/

export const titleOf = ({ id, name }: { id: number; name: string }): string =>
  GENERATED.exec(name)?.[1] ?? (name || `Dashboard ${id}`)

/** The name of a saved query, which is a part of an address, as a title: `weekly-sign_ups` is `Weekly sign ups`. */
export const titleOfQuery = (name: string): string =>
  capitalized(name.replaceAll('-', ' ').replaceAll('_', ' ').trim())

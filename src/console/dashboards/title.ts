// What pages call a dashboard. Pure.

/** The names of usage dashboards, as the service gives them. */
const GENERATED = /^Generated Dashboard: (.+) Usage$/

export const titleOf = ({ id, name }: { id: number; name: string }): string =>
  GENERATED.exec(name)?.[1] ?? (name || `Dashboard ${id}`)

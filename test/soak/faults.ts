// The faults that the soak's Worker can be told to have.

export const BINDINGS = ['DB', 'EVENTS', 'SNAPSHOTS', 'PROJECTS', 'INGESTION', 'BUILDS'] as const
export type Binding = (typeof BINDINGS)[number]

/** `stalls`: no response while the fault lasts, and no effect. `rejects`: an error at once. `loses responses`: an error after the effect. */
export const FAULTS = ['stalls', 'refuses', 'loses responses', 'is slow'] as const

export interface Fault {
  binding: Binding
  kind: (typeof FAULTS)[number]
  /** Of the calls, from 0 to 1. */
  share: number
  durationMs: number
}

/** Paths of the soak's Worker that the service does not have. */
export const FAULT_PATH = '/__soak/fault'
export const SQL_PATH = '/__soak/sql'

export interface SqlQuestion {
  database: 'DB' | 'EVENTS'
  sql: string
  values: (string | number)[]
}

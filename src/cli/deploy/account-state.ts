import { DATABASE } from './bindings'

export interface Database {
  id: string
  name: string
}

export interface Namespace {
  id: string
  title: string
}

export interface Deployed {
  /** The ids of the D1 databases that the Worker is bound to, by binding. */
  databaseIds: Readonly<Record<string, string>>
  /** The id of the KV namespace, or null when the Worker is bound to none. */
  namespaceId: string | null
  /** The names of secrets. */
  secrets: string[]
  /** The variables, without secrets. */
  vars: Readonly<Record<string, string>>
}

export interface DatabaseState {
  /** The files of applied migrations. */
  applied: string[]
  /** Tables of these migrations that the database lacks, because an earlier version created it. */
  missingTables: string[]
  isRestoring: boolean
  /** Whether there are users in the main database, or events and persons in a shard. */
  isInUse: boolean
}

export interface ActualState {
  /** The account's own name under workers.dev, or null when none was chosen yet. */
  subdomain: string | null
  /** Databases that may be used: those of the desired names and ids, and those that the Worker is bound to. */
  databases: Database[]
  namespaces: Namespace[]
  /** The names of queues. */
  queues: string[]
  /** The Worker, or null before its first deployment. */
  worker: Deployed | null
  /** The databases that the deployment uses and that exist, by binding. */
  schemas: Readonly<Record<string, DatabaseState>>
  /** The bindings of the shards that have events of projects. */
  usedShards: string[]
}

const NO_SCHEMA: DatabaseState = { applied: [], missingTables: [], isRestoring: false, isInUse: false }

export const schemaOf = ({ schemas }: Pick<ActualState, 'schemas'>, binding: string): DatabaseState =>
  schemas[binding] ?? NO_SCHEMA

export const hasUsers = (state: Pick<ActualState, 'schemas'>): boolean => schemaOf(state, DATABASE).isInUse

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
  /** Ids of the D1 databases that it is bound to, by binding. */
  databaseIds: Readonly<Record<string, string>>
  /** The id is null when the Worker is bound to no namespace. */
  namespaceId: string | null
  /** Names of secrets. */
  secrets: string[]
}

export interface DatabaseState {
  /** Files of migrations that were applied. */
  applied: string[]
  /** Tables of these migrations that the database lacks: an earlier version created it. */
  missingTables: string[]
  isRestoring: boolean
  /** Whether there are users in the main database, or events and persons in a shard. */
  isInUse: boolean
}

export interface ActualState {
  /** The account's own name under workers.dev; null: none was chosen yet. */
  subdomain: string | null
  /** Databases that may be used: those of the desired names and ids, and those that the Worker is bound to. */
  databases: Database[]
  namespaces: Namespace[]
  /** Names of queues. */
  queues: string[]
  /** The Worker is null before its first deployment. */
  worker: Deployed | null
  /** The databases that the deployment uses and that exist, by binding. */
  schemas: Readonly<Record<string, DatabaseState>>
  /** Bindings of the shards where projects have their events. */
  usedShards: string[]
}

const NO_SCHEMA: DatabaseState = { applied: [], missingTables: [], isRestoring: false, isInUse: false }

export const schemaOf = ({ schemas }: Pick<ActualState, 'schemas'>, binding: string): DatabaseState =>
  schemas[binding] ?? NO_SCHEMA

export const hasUsers = (state: Pick<ActualState, 'schemas'>): boolean => schemaOf(state, DATABASE).isInUse

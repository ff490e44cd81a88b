// What an account holds of a deployment.

export interface Database {
  id: string
  name: string
}

export interface Namespace {
  id: string
  title: string
}

/** The Worker as it is deployed. */
export interface Deployed {
  /** What it is bound to; null: to nothing. */
  databaseId: string | null
  namespaceId: string | null
  /** Names. */
  secrets: string[]
}

export interface Present {
  /** The account's own name under workers.dev; null: none was chosen yet. */
  subdomain: string | null
  /** Those that are in question: of the wanted name or id, and the one that the Worker is bound to. */
  databases: Database[]
  namespaces: Namespace[]
  /** Names. */
  queues: string[]
  /** Null: never deployed. */
  worker: Deployed | null
  /** Of the database that would be used: files that were applied to it. */
  applied: string[]
  /** Whether anybody has an account in it. */
  hasUsers: boolean
}

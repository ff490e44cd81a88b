// A row or two for every table, with a value for every column that it ever had: what an upgrade has to keep. A small company with two people,
// a flag in use, events, and a saved query.
import { accountRows } from './accounts'
import { analyticsRows } from './analytics'
import { endpointRows } from './endpoints'
import { flagRows } from './flags'
import type { Rows } from './row'
import { sessionRows } from './sessions'

export const PASSWORD = 'correct horse battery staple 27'
export const SESSION_TOKEN = 'session-of-an-earlier-version'

/** What is stored of the secrets with which Ada signs in and calls. */
export interface Hashes {
  password: string
  apiKey: string
  session: string
}

export { shardRows } from './shard'

/** Of the main database, by table. `projectId` is the id of the only project. */
export const rowsOf = (projectId: number, hashes: Hashes): Rows => ({
  ...accountRows(projectId, hashes),
  ...sessionRows(hashes.session),
  ...flagRows(projectId),
  ...analyticsRows(projectId),
  ...endpointRows(projectId),
})

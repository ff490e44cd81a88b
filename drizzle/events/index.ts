// The schema of an analytics shard (EVENTS, EVENTS_2 …): input and results of saved queries. No request but a query waits for
// these tables. drizzle-kit writes migrations/events/ from it.
export * from './events'
export * from './event-sessions'
export * from './people'
export * from './results'
export * from '../write-guards'

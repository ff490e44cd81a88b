// The schema of an analytics shard (EVENTS, EVENTS_2 …): what saved queries scan, and what they produce. No request but a query waits for
// these tables. drizzle-kit writes migrations/events/ from it.
export * from './events'
export * from './people'
export * from './results'
export * from '../write-guards'

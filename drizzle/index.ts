// The whole schema: what drizzle-kit reads to write migrations/.
export * from './account-links'
export * from './accounts'
export * from './activity'
export * from './analytics'
export * from './endpoints'
export * from './flags'
export * from './sessions'
export * from './throttles'

// The cron triggers of wrangler.toml.

export const EVERY_MINUTE = '* * * * *'

export const DAILY = '17 3 * * *'

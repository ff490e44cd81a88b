// Optional secrets, which wrangler.toml does not list.

interface Env {
  /** API key for `AI_BASE_URL`; set with `wrangler secret put`. */
  AI_API_KEY?: string
  /** The secret of `CHAT_CLIENT_ID` at the chat provider; set with `wrangler secret put`. */
  CHAT_CLIENT_SECRET?: string
  /** Of `CLICKHOUSE_USER` at the ClickHouse server; set with `wrangler secret put`. */
  CLICKHOUSE_PASSWORD?: string
}

// Settings that wrangler.toml does not name, so that the generated types do not know them.

interface Env {
  /** What the service at `AI_BASE_URL` is asked with; set with `wrangler secret put`. None is sent where there is none. */
  AI_API_KEY?: string
  /** The secret of `CHAT_CLIENT_ID` at the chat provider; set with `wrangler secret put`. */
  CHAT_CLIENT_SECRET?: string
  /** Of `CLICKHOUSE_USER` at the ClickHouse server; set with `wrangler secret put`. */
  CLICKHOUSE_PASSWORD?: string
}

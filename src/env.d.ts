// Settings that wrangler.toml does not name, so that the generated types do not know them.

interface Env {
  /** The secret of `CHAT_CLIENT_ID` at the chat provider; set with `wrangler secret put`. */
  CHAT_CLIENT_SECRET?: string
  /** Of `CLICKHOUSE_USER` at the ClickHouse server; set with `wrangler secret put`. */
  CLICKHOUSE_PASSWORD?: string
}

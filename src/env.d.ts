// Secrets, which wrangler.toml does not list. `wrangler secret put` sets them.

interface Secrets {
  /** Keys of encrypted payloads: `id:base64,id:base64`. */
  PAYLOAD_KEYS: string
  /** Keys of second factors and signed links, in the same form. */
  ACCOUNT_KEYS: string
  /** The new key while `npm run rotate` replaces the keys above. */
  PAYLOAD_KEYS_NEXT?: string
  ACCOUNT_KEYS_NEXT?: string
  /** API key for `AI_BASE_URL`. */
  AI_API_KEY?: string
  /** Bearer token of Prometheus for `/metrics`, 16 characters or more. */
  METRICS_TOKEN?: string
  /** The value is `on` with `npm start` and `npm run dev`. */
  ALLOW_PRIVATE_HOSTS?: string
  /** The resolver that verifies domains, DNS over HTTPS with JSON responses. The default is Cloudflare's. */
  DNS_RESOLVER?: string
  /** The value is `on` when the queue is not durable, as on this machine: capture then stores events before it responds. */
  CAPTURE_STORES?: string
  /** The secret of `CHAT_CLIENT_ID` at the chat provider. */
  CHAT_CLIENT_SECRET?: string
  /** Password of `CLICKHOUSE_USER`. */
  CLICKHOUSE_PASSWORD?: string
}

interface Optional {
  /** The bucket of scheduled backups. */
  BACKUPS?: R2Bucket
  /** Gets a data point of each request. */
  REQUESTS?: AnalyticsEngineDataset
}

interface Env extends Secrets, Optional {}

declare namespace Cloudflare {
  interface Optional {
    /** The bucket of scheduled backups. */
    BACKUPS?: R2Bucket
    /** Gets a data point of each request. */
    REQUESTS?: AnalyticsEngineDataset
  }

  interface Env extends Secrets, Optional {}
}

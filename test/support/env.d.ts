declare namespace Cloudflare {
  interface Env {
    /** Given by vitest.config.ts; the Worker itself never sees it. */
    MIGRATIONS: { name: string; queries: string[] }[]
  }
}

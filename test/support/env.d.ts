declare namespace Cloudflare {
  interface Env {
    /** The variables of vitest.config.ts, which the Worker itself never has. */
    MIGRATIONS: Record<'main' | 'events', { name: string; queries: string[] }[]>
    /** A bucket, which tests of backups bind as BACKUPS. */
    TEST_BACKUPS: R2Bucket
    /** How often fuzz tests try. When it is empty, the number suits a run of all tests. */
    FUZZ_RUNS: string
    /** The seed of fuzz tests. When it is empty, each test has one of its own. */
    FUZZ_SEED: string
  }
}

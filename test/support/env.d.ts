declare namespace Cloudflare {
  interface Env {
    /** Given by vitest.config.ts; the Worker itself never sees it. */
    MIGRATIONS: Record<'main' | 'events', { name: string; queries: string[] }[]>
    /** A bucket: tests of backups bind it as BACKUPS. */
    TEST_BACKUPS: R2Bucket
    /** How often fuzz tests try; as often as suits a run of all tests when it is empty. */
    FUZZ_RUNS: string
    /** In place of FUZZ_RUNS where that is not set: `npm run test:all` sends more generated requests. */
    LONG_FUZZ_RUNS: string
    /** Where fuzz tests begin; always at the same place when it is empty. */
    FUZZ_SEED: string
  }
}

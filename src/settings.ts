/** Settings with their defaults. */
export const settings = (env: Env) => ({
  maxFlagsPerProject: Number(env.MAX_FLAGS_PER_PROJECT ?? 2000),
  freshnessMs: 1_000 * Number(env.FRESHNESS_SECONDS || 5),
})

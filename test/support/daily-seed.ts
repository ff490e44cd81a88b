/** A seed of its own for each day of UTC: all runs of one day try the same, and those of another day something else. */
export const dailySeed = (): number => Math.floor(Date.now() / 86_400_000)

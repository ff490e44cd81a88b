// Another instance of a project object, which writes flags beside the first, as when the platform has moved the object.
import { env } from 'cloudflare:workers'
import { createIds } from '../../../src/clock'
import { apiErrorIn } from '../../../src/errors'
import { createPayloadCipher } from '../../../src/flags/payloads'
import { CreateFlagBody, UpdateFlagBody } from '../../../src/flags/schema'
import { FlagWriter } from '../../../src/project/flag-writer'
import { createSerialQueue } from '../../../src/project/serial-queue'
import { openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import type { Tenant } from '../tenant'

export type SentChange = { create: object } | { update: number; with: object }

/**
 * Writes a flag, and publishes nothing.
 * @returns the status for the caller
 */
export async function writeElsewhere(
  { projectId, clock }: Pick<Tenant, 'projectId' | 'clock'>,
  change: SentChange,
  { d1 = env.DB, maxFlags = 2_000 }: { d1?: D1Database; maxFlags?: number } = {},
): Promise<number> {
  const writer = new FlagWriter({
    toolsOf: (meter) => ({
      db: openDatabase(d1, meter),
      ids: createIds(),
      cipher: createPayloadCipher(env),
      maxFlags,
    }),
    queue: createSerialQueue(1),
    publish: async () => null,
  })
  const common = {
    actor: { kind: 'system' as const },
    project: { id: projectId, membershipLevel: 15 },
    now: clock.now().getTime(),
  }
  try {
    if ('create' in change) {
      const body = CreateFlagBody.parse(change.create)
      await writer.write({ ...common, kind: 'create', body }, createMeter())
      return 201
    }
    const body = UpdateFlagBody.parse(change.with)
    await writer.write({ ...common, kind: 'update', id: change.update, body }, createMeter())
    return 200
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (!rejection) throw error
    return rejection.status
  }
}

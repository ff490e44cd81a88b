// Creates and changes flags in a project that may require approval of changes.
import { APPROVAL_REQUIRED, CREATED_ENABLED, REQUEST_PENDING } from '../../flags/approvals/approval-types'
import type { JsonObject } from '../../json'
import { CallError } from '../call'
import type { Client } from '../client'
import { UnknownReference } from '../references'

/** A change waits for approval, and sending it again would not help. */
export class WaitsForApproval extends Error {
  override readonly name = 'WaitsForApproval'
}

/** Whether an error is about one item: the target rejected it, or it needs another. */
export const isRejection = (error: unknown): error is Error =>
  error instanceof UnknownReference ||
  error instanceof WaitsForApproval ||
  (error instanceof CallError &&
    error.status !== null &&
    ![401, 429].includes(error.status) &&
    error.status >= 400 &&
    error.status < 500)

/**
 * Creates a flag. Where enabling needs approval, it is created disabled, and then enabled.
 * @param path of the list of flags
 * @param onCreated gets the id, also of a flag that waits to be enabled
 * @throws CallError; WaitsForApproval
 */
export async function createFlag(
  client: Client,
  path: string,
  body: JsonObject,
  onCreated: (id: number) => void,
): Promise<void> {
  const create = (sent: JsonObject) => client.call<{ id: number }>('POST', path, sent)
  try {
    onCreated((await create(body)).id)
  } catch (error) {
    if (!(error instanceof CallError && error.code === CREATED_ENABLED)) throw error
    const { id } = await create({ ...body, active: false })
    onCreated(id)
    await changeFlag(client, `${path}${id}/`, { active: true })
  }
}

/** The flag that a change is planned on: it is not made to another version. */
const guardOf = (flag: JsonObject): JsonObject => ({ version: flag.version ?? null, original_flag: flag })

/**
 * A policy holds enabling and disabling, another one everything else: a change of both is sent in two calls.
 * @param planned the flag as it was read; null: its version does not matter.
 * @throws CallError; WaitsForApproval.
 */
export async function changeFlag(
  client: Client,
  path: string,
  change: JsonObject,
  planned: JsonObject | null = null,
): Promise<void> {
  const send = async (part: JsonObject, flag: JsonObject | null) => {
    try {
      return await client.call<JsonObject>('PATCH', path, { ...part, ...(flag && guardOf(flag)) })
    } catch (error) {
      throw asWaiting(error) ?? error
    }
  }
  const { active, ...others } = change
  try {
    await send(change, planned)
  } catch (error) {
    const isConflict = error instanceof CallError && error.code === 'policy_conflict'
    if (!isConflict || active === undefined || Object.keys(others).length === 0) throw error
    // The flag is off while it changes. A request of the second part would be stale as soon as the first is approved.
    const [first, second] = active === true ? [others, { active }] : [{ active }, others]
    const changed = await send(first, planned).catch((problem: unknown) => {
      if (!(problem instanceof WaitsForApproval)) throw problem
      throw new WaitsForApproval(
        `${problem.message} Repeat this then: the rest of the change is not sent yet.`,
      )
    })
    await send(second, planned && changed)
  }
}

function asWaiting(error: unknown): WaitsForApproval | null {
  if (!(error instanceof CallError)) return null
  const request = `change request ${error.changeRequestId}`
  if (error.code === APPROVAL_REQUIRED) return new WaitsForApproval(`waits for approval: ${request}.`)
  if (error.code === REQUEST_PENDING)
    return new WaitsForApproval(`an earlier change waits for approval: ${request}.`)
  return null
}

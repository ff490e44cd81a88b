// Creates and changes flags in a project that may require approval of changes.
import { APPROVAL_REQUIRED, CREATED_ENABLED, REQUEST_PENDING } from '../../flags/approvals/approval-types'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
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

/** Fields of a flag that gets the others by an update. */
const PLAIN = { is_remote_configuration: false, has_encrypted_payloads: false }

/** The fields of a flag on which others depend, while they are written. It is enabled at 0 % until it is written itself. */
export const STAND_IN: JsonObject = {
  ...PLAIN,
  active: true,
  archived: false,
  filters: { groups: [{ properties: [], rollout_percentage: 0 }] },
}

/**
 * Creates a flag. Where enabling needs approval, it is created disabled, and then enabled. One whose filters a creation would change or
 * reject is created disabled, too, and gets them by an update, which stores them as they are.
 * @param path of the list of flags
 * @param onCreated gets the id, also of a flag that waits for its update
 * @throws CallError; WaitsForApproval
 */
export async function createFlag(
  client: Client,
  path: string,
  body: JsonObject,
  onCreated: (id: number) => void,
): Promise<void> {
  const create = async (sent: JsonObject) => {
    const { id } = await client.call<{ id: number }>('POST', path, sent)
    onCreated(id)
    return `${path}${id}/`
  }
  const { filters, ...others } = body
  if (!isStoredAsSent(body)) {
    const { active = true, is_remote_configuration = false, has_encrypted_payloads = false } = body
    const flag = await create({ ...others, ...PLAIN, active: false })
    await changeFlag(client, flag, {
      active,
      is_remote_configuration,
      has_encrypted_payloads,
      filters: filters!,
    })
    return
  }
  const sent = hasNoSets(filters) ? others : body
  try {
    await create(sent)
  } catch (error) {
    if (!(error instanceof CallError && error.code === CREATED_ENABLED)) throw error
    await changeFlag(client, await create({ ...sent, active: false }), { active: true })
  }
}

const setsOf = (filters: JsonValue | undefined): readonly JsonValue[] =>
  isObject(filters) && isArray(filters.groups) ? filters.groups : []

const hasNoSets = (filters: JsonValue | undefined) => setsOf(filters).length === 0

/**
 * Whether a creation stores filters as they are. It rejects those without condition sets, unless they are left out; a remote configuration
 * gets a set for everyone, and 100 % in place of 0 %.
 */
function isStoredAsSent({ filters, is_remote_configuration: isRemote }: JsonObject): boolean {
  if (hasNoSets(filters))
    return isRemote !== true && isObject(filters) && Object.keys(filters).every((key) => key === 'groups')
  return isRemote !== true || setsOf(filters).every((set) => isObject(set) && set.rollout_percentage)
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

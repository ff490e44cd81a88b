// A receiver of webhooks for one test.
import { expect, inject } from 'vitest'
import type { ReceivedCall, ReceiverResponse } from './serve-receiver'

export interface Receiver {
  url: string
  /** Sets the responses, one per call. Afterwards it responds with 200. */
  answer(answers: readonly ReceiverResponse[]): Promise<void>
  calls(): Promise<ReceivedCall[]>
  /** Lets the responses that are held go. */
  release(): Promise<void>
}

export async function createReceiver(answers: readonly ReceiverResponse[] = []): Promise<Receiver> {
  const id = crypto.randomUUID()
  const inbox = `${inject('receiverUrl')}/inboxes/${id}`
  const put = async (url: string, body: string) => {
    const written = await fetch(url, { method: 'PUT', body })
    await written.body?.cancel()
  }
  const answer = (next: readonly ReceiverResponse[]) => put(inbox, JSON.stringify(next))
  await answer(answers)
  return {
    url: `${inject('receiverUrl')}/${id}`,
    answer,
    calls: async () => (await fetch(inbox)).json(),
    release: () => put(`${inbox}/release`, ''),
  }
}

const FIVE_MINUTES_S = 300

/**
 * Verifies a message by the Standard Webhooks specification, without code of the service.
 * @returns its content
 * @param now epoch milliseconds of the service
 */
export async function verified(call: ReceivedCall, secret: string, now: number): Promise<unknown> {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = call.headers
  expect(Math.abs(Math.floor(now / 1000) - Number(timestamp))).toBeLessThan(FIVE_MINUTES_S)
  const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${call.body}`)
  const results = await Promise.all(
    signatures!
      .split(' ')
      .filter((each) => each.startsWith('v1,'))
      .map((each) => crypto.subtle.verify('HMAC', key, bytesOf(each.slice(3)), signed)),
  )
  expect(results).toContain(true)
  return JSON.parse(call.body)
}

// Sends requests one after another over one connection. `fetch` takes longer than a Worker that does nothing.
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** @returns the parsed body @throws for another status than 2xx */
export const send = <T>(
  url: string,
  method: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0 } = response
        if (statusCode < 200 || statusCode > 299) reject(new Error(`${statusCode} ${text}`))
        else resolve(JSON.parse(text) as T)
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })

import { type AddressInfo, createServer } from 'node:net'
import { UsageError } from '../command'

export const DEFAULT_PORT = '8787'

const HOSTS = ['127.0.0.1', '::1']

/**
 * @param name of the option or variable that has the text
 * @throws UsageError
 */
export function parsePort(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`${name} must be a number from 0 to 65535, got "${text}"`)
}

/**
 * @param port 0 for any
 * @returns a port on which nothing listens
 * @throws when something listens on it
 */
export async function requireFreePort(port: number): Promise<number> {
  let free = port
  for (const host of HOSTS) {
    try {
      free = await listenOnce(free, host)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // A machine may have no IPv6.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') continue
      throw new Error(
        code === 'EADDRINUSE'
          ? `Port ${free} is in use by another program. Choose another one: npm start -- --port ${free + 1}`
          : `Port ${free} cannot be used: ${message}`,
        { cause: error },
      )
    }
  }
  return free
}

const listenOnce = (port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      const { port: taken } = server.address() as AddressInfo
      server.close(() => resolve(taken))
    })
  })

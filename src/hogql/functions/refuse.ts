// Refusing what a function cannot do with.
import { HogqlError } from '../error'

/** @throws HogqlError with the message; whoever called the function knows where it stands */
export function refuse(message: string): never {
  throw new HogqlError(message)
}

/** @throws HogqlError for a function that SQLite has nothing for */
export const needsClickhouse = (name: string, why: string) => (): never =>
  refuse(`'${name}' needs the ClickHouse engine: ${why}.`)

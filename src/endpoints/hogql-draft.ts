// A HogQL query on its way to being stored.
import type { Draft } from './draft'
import type { HogqlQuery } from './query/shape'

// TODO: parse and compile, once hogql/compile.ts is there.
export async function draftHogql(query: HogqlQuery, _timezone: string): Promise<Draft> {
  return {
    needs: { variables: { ids: [], codeNames: [] }, properties: [] },
    finish: () => ({ query, compiled: null, columns: [] }),
  }
}

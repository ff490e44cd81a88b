// What an import remembers, in the browser: a record for each item, so that each is stored when it is written.
import type { ImportState, Memory } from '../../import/memory'

const DATABASE = 'halyard-import'
const STORE = 'remembered'

/**
 * @param source, target identify the import.
 * @param onFailure called when something could not be stored.
 * @throws where the browser stores nothing.
 */
export async function openMemory(source: string, target: string, onFailure: () => void): Promise<Memory> {
  const database = await openDatabase()
  const own = [source, target]
  const state = await readState(database, own)

  function put(records: readonly (readonly [kind: keyof ImportState, id: string, value: unknown])[]): void {
    const transaction = database.transaction(STORE, 'readwrite')
    transaction.addEventListener('abort', onFailure)
    const store = transaction.objectStore(STORE)
    for (const [kind, id, value] of records) store.put(value, [...own, kind, id])
  }

  return {
    ...state,
    rememberItems(items) {
      Object.assign(state.items, items)
      put(Object.entries(items).map(([id, value]) => ['items', id, value] as const))
    },
    rememberStream(stream, progress) {
      state.streams[stream] = progress
      put([['streams', stream, progress]])
    },
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser stores nothing.')))
  })

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
  return resultOf(request)
}

async function readState(database: IDBDatabase, own: readonly string[]): Promise<ImportState> {
  const store = database.transaction(STORE).objectStore(STORE)
  // In keys, a list comes after every text.
  const range = IDBKeyRange.bound([...own], [...own, []])
  const [keys, values] = await Promise.all([
    resultOf(store.getAllKeys(range)),
    resultOf(store.getAll(range) as IDBRequest<unknown[]>),
  ])
  const state: Record<string, Record<string, unknown>> = { items: {}, streams: {} }
  for (const [index, key] of keys.entries()) {
    const [, , kind, id] = key as string[]
    state[kind!]![id!] = values[index]
  }
  return state as unknown as ImportState
}

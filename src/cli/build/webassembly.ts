// Adds exports to a compiled WebAssembly module, and a limit to its memory.

const MEMORY = 5
const GLOBAL = 6
const EXPORT = 7

const KINDS = { function: 0, memory: 2, global: 3 } as const

export interface Change {
  /** New exports, by name: aliases of existing ones, or the stack pointer. */
  exports: Readonly<Record<string, { as: string } | 'stack pointer'>>
  /** Of 64 KB. */
  maxPages: number
}

/**
 * @throws Error when the module is not what the Emscripten compiler makes: one memory, and the stack pointer as its one global
 */
export function changeModule(bytes: Uint8Array, { exports, maxPages }: Change): Uint8Array {
  const parts = [bytes.subarray(0, 8)]
  const reader = new Reader(bytes, 8)
  while (reader.at < bytes.length) {
    const [id, size] = [reader.number(), reader.number()]
    const content = bytes.subarray(reader.at, reader.at + size)
    reader.at += size
    if (id === GLOBAL) requireStackPointer(content)
    const changed =
      id === MEMORY
        ? withMaxPages(content, maxPages)
        : id === EXPORT
          ? withExports(content, exports)
          : content
    parts.push(Uint8Array.of(id, ...leb128(changed.length)), changed)
  }
  return Buffer.concat(parts)
}

/** One global, a mutable i32. */
function requireStackPointer(content: Uint8Array): void {
  const [count, type, mutable] = content
  if (count !== 1 || type !== 0x7f || mutable !== 1)
    throw new Error('The module has other globals than before')
}

function withMaxPages(content: Uint8Array, maxPages: number): Uint8Array {
  const reader = new Reader(content)
  if (reader.number() !== 1) throw new Error('The module has other memories than before')
  reader.number()
  return Uint8Array.of(1, 1, ...leb128(reader.number()), ...leb128(maxPages))
}

function withExports(content: Uint8Array, exports: Change['exports']): Uint8Array {
  const reader = new Reader(content)
  const count = reader.number()
  const rest = content.subarray(reader.at)
  const known = new Map<string, number[]>()
  for (let i = 0; i < count; i++) known.set(reader.text(), [reader.number(), ...leb128(reader.number())])
  const added = Object.entries(exports).flatMap(([name, source]) => {
    const target = source === 'stack pointer' ? [KINDS.global, 0] : known.get(source.as)
    if (!target) throw new Error(`The module has no export for ${name}`)
    return [...leb128(name.length), ...Buffer.from(name), ...target]
  })
  return Buffer.concat([
    Uint8Array.from(leb128(count + Object.keys(exports).length)),
    rest,
    Uint8Array.from(added),
  ])
}

class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  /** Seven bits a byte, the lowest first; the eighth says that there are more. */
  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++]!
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  text(): string {
    const length = this.number()
    return Buffer.from(this.bytes.subarray(this.at, (this.at += length))).toString()
  }
}

function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >>> 7)]
}

// Hostile inputs by size: texts of so many characters, and values of about so many bytes of JSON.

export type Shape<Input = unknown> = (size: number) => Input
export type Shapes<Input = unknown> = Readonly<Record<string, Shape<Input>>>

/** A text that repeats a piece between a beginning and an end, up to a size. */
export const repeated =
  (piece: string, first = '', last = ''): Shape<string> =>
  (size) =>
    first + piece.repeat(Math.max(1, Math.floor((size - first.length - last.length) / piece.length))) + last

/** A text that opens and closes as many levels as a size has. */
export const nested =
  (open: string, close: string, inner = '', first = '', last = ''): Shape<string> =>
  (size) => {
    const levels = Math.max(1, Math.floor((size - first.length - last.length) / (open.length + close.length)))
    return first + open.repeat(levels) + inner + close.repeat(levels) + last
  }

/** A text of numbered pieces, each of them different. */
export const numbered =
  (piece: (number: number) => string, separator = '', first = '', last = ''): Shape<string> =>
  (size) => {
    const length = piece(1_000).length + separator.length
    const count = Math.max(1, Math.floor((size - first.length - last.length) / length))
    return first + Array.from({ length: count }, (_, number) => piece(number)).join(separator) + last
  }

/** What no grammar expects, or every grammar reads. */
export const TEXTS = {
  'one letter': repeated('x'),
  digits: repeated('1'),
  zeros: repeated('0', '', '1'),
  blanks: repeated(' ', 'a', 'a'),
  'blanks and lines': repeated(' \t\r\n'),
  words: repeated('a '),
  dots: repeated('a.', '', '!'),
  hyphens: repeated('-', '1'),
  'hyphens and signs': repeated('-+', '1.0.0'),
  commas: repeated('a,'),
  'commas alone': repeated(','),
  semicolons: repeated('a=b; '),
  'semicolons and blanks': repeated(';   '),
  'equals signs': repeated('='),
  slashes: repeated('/a'),
  'at signs': repeated('a@', '', '.'),
  percents: repeated('%25'),
  'broken percents': repeated('%E0%A4%'),
  quotes: repeated('"'),
  apostrophes: repeated("'"),
  backslashes: repeated('\\'),
  'escaped quotes without an end': repeated('\\"', '"'),
  'escaped letters': repeated(String.raw`\u00e9`, '"'),
  'opening parentheses': repeated('('),
  'opening brackets': repeated('['),
  'opening braces': repeated('{"a":'),
  parentheses: nested('(', ')'),
  'brackets of a template': repeated('{{'),
  'beginnings of comments': repeated('/*'),
  'ends of comments': repeated('*/'),
  tags: repeated('<a '),
  'letters beyond ASCII': repeated('É'),
  'letters that grow in lower case': repeated('İ'),
  'letters that grow when they are normalized': repeated('\uFDFA'),
  'combining marks': repeated('\u0327\u0301', 'a'),
  emoji: repeated('🙂'),
  'half characters': repeated('\ud800'),
  'null characters': repeated('\u0000'),
  'not a number': repeated('NaN,', '['),
  'names of members': repeated('__proto__.'),
} satisfies Shapes<string>

/** Some of the texts, by name. */
export const texts = (...names: (keyof typeof TEXTS)[]): Shapes<string> =>
  Object.fromEntries(names.map((name) => [name, TEXTS[name]]))

const list = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(length)) }, (_, index) => item(index))

/** Levels that every reader of bodies takes: deeper ones are refused by their text. */
const LEVELS = 60

const deep = (open: (inner: unknown) => unknown, inner: unknown): unknown => {
  let value = inner
  for (let level = 0; level < LEVELS; level += 1) value = open(value)
  return value
}

const values = {
  'a wide object': (size) => Object.fromEntries(list(size / 14, (index) => [`key${index}`, index])),
  'an object of long names': (size) =>
    Object.fromEntries(list(size / 10_000, (index) => [`${index}${'x'.repeat(10_000)}`, 1])),
  'an object of names that differ in case': (size) =>
    Object.fromEntries(list(size / 14, (index) => [`${index % 2 ? 'Key' : 'kEy'}_${index}s`, index])),
  'a list of numbers': (size) => list(size / 2, () => 1),
  'a list of long numbers': (size) => list(size / 22, (index) => 1e20 + index * 1e6),
  'a list of texts': (size) => list(size / 8, (index) => `t${index}`),
  'a list of empty objects': (size) => list(size / 3, () => ({})),
  'a list of objects': (size) => list(size / 30, (index) => ({ id: index, key: `k${index}` })),
  'a list of lists': (size) => list(size / 6, () => [[1]]),
  'nested lists': (size) => list(size / (2 * LEVELS + 2), () => deep((inner) => [inner], 1)),
  'nested objects': (size) => list(size / (6 * LEVELS + 2), () => deep((a) => ({ a }), 1)),
  'a text': (size) => 'x'.repeat(size),
  'a text beyond ASCII': (size) => 'É'.repeat(size / 2),
  'a text of escapes': (size) => '\u0001'.repeat(size / 6),
} satisfies Shapes

/** By name, whatever their types are. */
export const VALUES: Readonly<Record<keyof typeof values, Shape>> = values

/** Some of the values, by name. */
export const someValues = (...names: (keyof typeof values)[]): Shapes =>
  Object.fromEntries(names.map((name) => [name, VALUES[name]]))

/** Shapes through a function. */
export const mapped = <From, To>(shapes: Shapes<From>, change: (input: From) => To): Shapes<To> =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, (size: number) => change(shape(size))]),
  )

/** One way in for a caller's bytes. */
export interface Entry {
  name: string
  /** The size that is documented as its limit: that of the largest measurement. */
  max: number
  shapes: Shapes
  /** The work on an input; what it refuses by an error is refused. */
  read(input: unknown): unknown
}

export const entry = <Input>(
  name: string,
  max: number,
  shapes: Shapes<Input>,
  read: (input: Input) => unknown,
): Entry => ({ name, max, shapes, read: read as Entry['read'] })

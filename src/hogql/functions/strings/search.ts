// Looking for texts in texts.
import { INTEGER, type Type } from '../../types'
import { refuse } from '../refuse'
import { argument, unlessNull } from '../returns'
import type { ScalarFunction, SqliteSite } from '../spec'

/** The place of a part, from 1 on, or 0. The second argument is what is looked for. */
const position = (name: string, fold: boolean, clickhouse: string, ...aliases: string[]): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['string', 'string', 'integer'],
  optional: 1,
  returns: unlessNull(INTEGER),
  sqlite: ([value, part, from], site) => {
    const [v, p] = fold ? [`lower(${value})`, `lower(${part})`] : [String(value), String(part)]
    if (from === undefined) return `instr(${v}, ${p})`
    return site.once(String(from), (start) =>
      site.once(
        `instr(substr(${v}, max(1, ${start})), ${p})`,
        (at) => `CASE WHEN ${at} = 0 THEN 0 ELSE ${at} + max(1, ${start}) - 1 END`,
      ),
    )
  },
  clickhouse: ([value, part, from]) =>
    `${clickhouse}(${value}, ${part}${from === undefined ? '' : `, toUInt64(greatest(${from}, 1))`})`,
})

const isTextOrList = ({ kind }: Type, name: string): void => {
  if (kind !== 'string' && kind !== 'json' && kind !== 'array' && kind !== 'null') {
    refuse(`'${name}' takes a text or an array.`)
  }
}

/** Something that is asked of texts and of arrays alike. */
const ofEither = (
  name: string,
  text: (value: string) => string,
  list: (value: string) => string,
  clickhouse: (value: string, type: Type) => string,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['any'],
  returns: (args) => {
    isTextOrList(argument(args, 0), name)
    return unlessNull(INTEGER)(args)
  },
  sqlite: ([value], { types }) =>
    argument(types, 0).kind === 'array' ? list(String(value)) : text(String(value)),
  clickhouse: ([value], { types }) => clickhouse(String(value), argument(types, 0)),
})

const ends = (
  name: string,
  sqlite: (value: string, part: string, site: SqliteSite) => string,
): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['string', 'string'],
  returns: unlessNull(INTEGER),
  sqlite: ([value, part], site) => sqlite(String(value), String(part), site),
})

export const SEARCH: readonly ScalarFunction[] = [
  position('position', false, 'positionUTF8', 'locate', 'positionUTF8'),
  position('positionCaseInsensitive', true, 'positionCaseInsensitiveUTF8', 'positionCaseInsensitiveUTF8'),
  ofEither(
    'length',
    (text) => `octet_length(${text})`,
    (list) => `json_array_length(${list})`,
    (value) => `length(${value})`,
  ),
  {
    kind: 'scalar',
    name: 'lengthUTF8',
    aliases: ['char_length', 'character_length'],
    takes: ['string'],
    returns: unlessNull(INTEGER),
    sqlite: ([text]) => `length(${text})`,
  },
  ofEither(
    'empty',
    (text) => `(${text} = '')`,
    (list) => `(${list} = '[]')`,
    (value) => `empty(${value})`,
  ),
  ofEither(
    'notEmpty',
    (text) => `(${text} <> '')`,
    (list) => `(${list} <> '[]')`,
    (value) => `notEmpty(${value})`,
  ),
  ends('startsWith', (value, part) => `(substr(${value}, 1, length(${part})) = ${part})`),
  ends('endsWith', (value, part) => `(${part} = '' OR substr(${value}, -length(${part})) = ${part})`),
  {
    kind: 'scalar',
    name: 'countSubstrings',
    takes: ['string', 'string'],
    returns: unlessNull(INTEGER),
    sqlite: ([value, part]) =>
      `CASE WHEN ${part} = '' THEN 0 ELSE (length(${value}) - length(replace(${value}, ${part}, ''))) / length(${part}) END`,
  },
]

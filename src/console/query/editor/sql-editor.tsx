// Shows the editor of HogQL, with highlighting, completion, and the errors of the service.
import { autocompletion, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete'
import { SQLDialect } from '@codemirror/lang-sql'
import type { Extension } from '@codemirror/state'
import { cohortListQuery } from '../../api/cohorts'
import { queryClient, propertiesQuery } from '../../api/queries'
import { eventNamesQuery, schemaQuery, variablesQuery } from '../../api/saved-queries'
import { CodeEditor, type Diagnostic, type EditorProps } from '../../design/code/code-editor'
import { CLAUSES, completionsAt, type Option } from './completions'

const HOGQL = SQLDialect.define({
  keywords: CLAUSES.join(' ').toLowerCase(),
  builtin: '',
  types: '',
  backslashEscapes: true,
  identifierQuotes: '`"',
  operatorChars: '*+-%<>!=~/|',
})

/** Quotes names that need it after a dot. */
const quoted = (name: string): string => (/^[\w$]+$/.test(name) ? name : `\`${name}\``)

/** A source of completions. A failed lookup is not an error: there is no completion. */
const sourceOf =
  (projectId: number): CompletionSource =>
  async ({ state, pos, explicit }) => {
    const [schema, variables] = await Promise.all([
      queryClient.ensureQueryData(schemaQuery(projectId)).catch(() => undefined),
      queryClient.ensureQueryData(variablesQuery(projectId)).catch(() => ({ results: [] })),
    ])
    const found = completionsAt(state.doc.toString(), pos, { schema, variables: variables.results })
    if (!found) return explicit && schema ? tablesFrom(Object.keys(schema.tables), pos) : null
    switch (found.kind) {
      case 'options':
        return resultOf(found.from, found.options)
      case 'properties': {
        const { of, groupType, text } = found
        const read = await queryClient
          .fetchQuery(propertiesQuery(projectId, of, groupType, text))
          .catch(() => null)
        const options = (read?.results ?? []).map(({ name, property_type: type }): Option => ({
          label: name,
          type: 'property',
          apply: quoted(name),
          ...(type ? { detail: type } : {}),
        }))
        return lookedUp({ ...found, pattern: WORD, options, count: read?.count })
      }
      case 'cohorts': {
        const { text, isQuoted } = found
        const read = await queryClient
          .fetchInfiniteQuery(cohortListQuery(projectId, text ? { search: text } : {}))
          .catch(() => null)
        const options = (read?.pages[0]?.results ?? []).map(({ name }): Option => {
          const literal = String(name).replaceAll(/['\\]/g, String.raw`\$&`)
          return { label: String(name), type: 'constant', apply: isQuoted ? literal : `'${literal}'` }
        })
        return lookedUp({ ...found, pattern: NAME_IN_QUOTES, options, count: read?.pages[0]?.count })
      }
      case 'events': {
        const read = await queryClient.fetchQuery(eventNamesQuery(projectId, found.text)).catch(() => null)
        const options = (read?.results ?? []).map(({ name }): Option => ({ label: name, type: 'constant' }))
        return lookedUp({ ...found, pattern: NAME_IN_QUOTES, options, count: read?.count })
      }
    }
  }

const WORD = /^[\w$]*$/
const NAME_IN_QUOTES = /^[^'\n()]*$/

interface LookedUp {
  from: number
  /** The text for which the names were looked up. */
  text: string
  /** Matches the rest of a name. */
  pattern: RegExp
  options: Option[]
  /** The number of names, or undefined after a failure. */
  count: number | undefined
}

/**
 * Returns a completion. When more names match than were read, further letters are looked up again, because a project may have thousands.
 */
const lookedUp = ({ from, text, pattern, options, count = Infinity }: LookedUp): CompletionResult =>
  count > options.length
    ? { from, options, filter: false }
    : { from, options, validFor: (typed) => typed.startsWith(text) && pattern.test(typed) }

const resultOf = (from: number, options: Option[]): CompletionResult => ({ from, options, validFor: WORD })

const tablesFrom = (tables: readonly string[], from: number): CompletionResult =>
  resultOf(
    from,
    tables.map((label) => ({ label, type: 'class' })),
  )

const languages = new Map<number, readonly Extension[]>()

/** Returns the extensions, which are the same array for each project. */
function languageOf(projectId: number): readonly Extension[] {
  const made = languages.get(projectId) ?? [
    HOGQL.language,
    autocompletion({ override: [sourceOf(projectId)], icons: false, maxRenderedOptions: 10 }),
  ]
  languages.set(projectId, made)
  return made
}

interface SqlEditorProps extends EditorProps {
  projectId: number
  problems: readonly Diagnostic[]
}

const SqlEditor = ({ projectId, ...rest }: SqlEditorProps) => (
  <CodeEditor {...rest} extensions={languageOf(projectId)} />
)

export default SqlEditor

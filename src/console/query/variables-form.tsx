// Shows fields for the values of the variables that a query reads.
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { post, type Variable } from '../api/client'
import { fieldErrors } from '../api/field-errors'
import { inProject, queryClient } from '../api/queries'
import { variablesKey } from '../api/saved-queries'
import { Button } from '../design/button'
import { Tokens } from '../design/fields/combobox'
import { FormDialog } from '../design/popups/dialog'
import { Notice } from '../design/feedback'
import { Field, Input, Select, SelectField } from '../design/fields/field'
import { say } from '../design/popups/toast'
import { type Values, valueIssue } from './draft'
import { Writers } from '../team/writers'

/** Returns the code name that the service derives from a name. */
const codeNameOf = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, '').toLowerCase()

interface VariablesFormProps {
  projectId: number
  /** The code names that the query reads. */
  names: readonly string[]
  variables: readonly Variable[]
  values: Values
  /** Called with the changed values alone. */
  onChange(changed: Values): void
  /** The names for which the project has no variable. */
  missing: readonly string[]
}

export function VariablesForm({
  projectId,
  names,
  variables,
  values,
  onChange,
  missing,
}: VariablesFormProps) {
  const [creating, setCreating] = useState<string | null>(null)
  if (names.length === 0) return null
  return (
    <section className="stack" aria-label="Variables">
      <div className="variables">
        {variables
          .filter(({ code_name: name }) => names.includes(name))
          .map((variable) => (
            <VariableField
              key={variable.id}
              variable={variable}
              value={values[variable.code_name] ?? null}
              error={valueIssue(variable, values[variable.code_name])}
              onChange={(value) => onChange({ [variable.code_name]: value })}
            />
          ))}
      </div>
      {missing.map((name) => (
        <Notice key={name} tone="warn">
          The project has no variable <code>{name}</code>.{' '}
          {codeNameOf(name) === name ? (
            <Writers>
              <Button isSmall onClick={() => setCreating(name)}>
                <Plus size={13} aria-hidden /> Create it
              </Button>
            </Writers>
          ) : (
            `Names have lower-case letters, digits and underscores: write {variables.${codeNameOf(name)}}.`
          )}
        </Notice>
      ))}
      {creating !== null && (
        <NewVariable projectId={projectId} name={creating} onClose={() => setCreating(null)} />
      )}
    </section>
  )
}

interface VariableFieldProps {
  variable: Pick<Variable, 'name' | 'code_name' | 'type' | 'values'>
  value: unknown
  error?: string | null
  onChange(value: unknown): void
}

function VariableField({ variable, value, error, onChange }: VariableFieldProps) {
  const { type, code_name: name, values } = variable
  const text = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
  const hint = value === null ? 'No value: NULL.' : undefined
  return (
    <Field label={name} hint={hint} error={error}>
      {(control) => {
        switch (type) {
          case 'Boolean':
            return (
              <Select
                id={control.id}
                value={text}
                options={[
                  ['', 'NULL'],
                  ['true', 'true'],
                  ['false', 'false'],
                ]}
                onChange={(chosen) => onChange(chosen === '' ? null : chosen === 'true')}
              />
            )
          case 'List':
            return (
              <Tokens
                id={control.id}
                label={name}
                values={Array.isArray(value) ? value.map(String) : text === '' ? [] : [text]}
                onChange={(items) => onChange(items)}
                suggestions={(values ?? []).map((each) => ({ value: String(each) }))}
              />
            )
          default:
            return (
              <Input
                {...control}
                value={text}
                type={type === 'Date' && /^(\d{4}-\d\d-\d\d)?$/.test(text) ? 'date' : 'text'}
                inputMode={type === 'Number' ? 'decimal' : undefined}
                onChange={({ target: { value: entered } }) =>
                  onChange(entered === '' && type !== 'String' ? null : entered)
                }
              />
            )
        }
      }}
    </Field>
  )
}

const TYPES = [
  ['String', 'Text'],
  ['Number', 'Number'],
  ['Boolean', 'True or false'],
  ['List', 'List of texts'],
  ['Date', 'Date'],
] as const

interface NewVariableProps {
  projectId: number
  /** The code name in the query. */
  name: string
  onClose(): void
}

/** Creates a variable that a query already names. */
function NewVariable({ projectId, name, onClose }: NewVariableProps) {
  const [type, setType] = useState<Variable['type']>('String')
  const [value, setValue] = useState<unknown>(null)
  const [isTried, setIsTried] = useState(false)
  const issue = valueIssue({ type }, value)
  const create = useMutation({
    mutationFn: () =>
      post(
        '/api/projects/{project_id}/insight_variables/',
        { path: inProject(projectId) },
        // The service derives the code name: spaces become underscores.
        { name: name.replaceAll('_', ' '), type, default_value: value },
      ),
    onSuccess() {
      say(`Variable ${name} created.`)
      onClose()
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: variablesKey(projectId) }),
        queryClient.invalidateQueries({ queryKey: ['project', projectId, 'check'] }),
      ]),
  })
  const { errorOf, otherError } = fieldErrors(create.error, ['type', 'default_value'])
  return (
    <FormDialog
      title={`Create the variable ${name}`}
      description="All queries of the project may read it."
      onClose={onClose}
      isBusy={create.isPending}
      action="Create variable"
      error={otherError}
      onSubmit={() => (issue === null ? create.mutate() : setIsTried(true))}
    >
      <SelectField
        label="Type"
        error={errorOf('type')}
        value={type}
        options={TYPES}
        onChange={(chosen) => {
          setType(chosen)
          setValue(null)
        }}
      />
      <VariableField
        variable={{ name, code_name: 'Default', type, values: null }}
        value={value}
        error={(isTried ? issue : null) ?? errorOf('default_value')}
        onChange={setValue}
      />
    </FormDialog>
  )
}

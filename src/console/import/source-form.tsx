// Where a project comes from, and what of it comes along.
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../api/problem'
import { Button } from '../design/button'
import { Field, Input, Select, SwitchRow } from '../design/fields/field'
import { type Draft, type FieldErrors, fieldErrorsOf, type Kind, KINDS, missingIn } from './draft'
import { listProjects } from './open-source'
import { contextOf } from './use-import'

interface Props {
  projectId: number
  draft: Draft
  errors: FieldErrors
  isDisabled: boolean
  onChange(change: Partial<Draft>): void
}

export function SourceForm({ projectId, draft, errors, isDisabled, onChange }: Props) {
  const { kind } = draft
  const projects = useMutation({
    mutationFn: async () => {
      const { url, key } = missingIn(draft)
      if (url ?? key) throw new Error(url ?? key)
      return listProjects(draft, await contextOf(projectId))
    },
    onSuccess: ([first]) => onChange({ project: first?.id ?? '' }),
  })
  const listing = projects.isError
    ? (fieldErrorsOf(projects.error, draft) ?? { project: messageOf(projects.error) })
    : {}
  const found = { ...listing, ...errors }
  const connect = (change: Partial<Draft>) => {
    projects.reset()
    onChange(change)
  }
  return (
    <fieldset className="import-form" disabled={isDisabled}>
      <legend className="visually-hidden">Source of the import</legend>
      <Field label="From">
        {(control) => (
          <Select
            id={control.id}
            value={kind}
            options={KINDS}
            onChange={(value: Kind) => connect({ kind: value })}
          />
        )}
      </Field>
      {kind === 'file' ? (
        <Field
          label="File"
          error={found.file}
          hint="A file of JSON lines, which the command npm run export writes."
        >
          {(control) => (
            <Input
              {...control}
              key="file"
              type="file"
              accept=".jsonl,.json,.txt"
              onChange={(event) => onChange({ file: event.target.files?.[0] ?? null })}
            />
          )}
        </Field>
      ) : (
        <>
          <Field label="Address" error={found.url}>
            {(control) => (
              <Input
                {...control}
                type="url"
                placeholder={kind === 'posthog' ? 'https://eu.posthog.com' : 'https://unleash.example.com'}
                value={draft.url}
                onChange={(event) => connect({ url: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Key"
            error={found.key}
            hint={
              kind === 'posthog'
                ? 'A personal API key that may read what is moved. It is not stored.'
                : 'A personal access token, or an admin token. It is not stored.'
            }
          >
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="off"
                value={draft.key}
                onChange={(event) => connect({ key: event.target.value })}
              />
            )}
          </Field>
          {kind === 'posthog' ? (
            <div className="row wrap import-project">
              <Field label="Project" error={found.project}>
                {(control) =>
                  projects.data && projects.data.length > 0 ? (
                    <Select
                      id={control.id}
                      value={draft.project}
                      options={projects.data.map(({ id, name }) => [id, `${name} (${id})`] as const)}
                      onChange={(project) => onChange({ project })}
                    />
                  ) : (
                    <Input
                      {...control}
                      inputMode="numeric"
                      placeholder="12345"
                      value={draft.project}
                      onChange={(event) => onChange({ project: event.target.value })}
                    />
                  )
                }
              </Field>
              <Button isBusy={projects.isPending} onClick={() => projects.mutate()}>
                List projects
              </Button>
            </div>
          ) : (
            <>
              <Field label="Project" error={found.project} hint="Empty: the project default.">
                {(control) => (
                  <Input
                    {...control}
                    value={draft.project}
                    onChange={(event) => onChange({ project: event.target.value })}
                  />
                )}
              </Field>
              <Field
                label="Environment"
                error={found.environment}
                hint="An environment of Unleash is a project here. Empty: the only one that is enabled."
              >
                {(control) => (
                  <Input
                    {...control}
                    value={draft.environment}
                    onChange={(event) => onChange({ environment: event.target.value })}
                  />
                )}
              </Field>
            </>
          )}
        </>
      )}
      {kind !== 'unleash' && (
        <>
          <SwitchRow
            title="Persons and groups"
            hint="Persons get only properties that they lack here."
            isChecked={draft.persons}
            onChange={(persons) => onChange({ persons })}
          />
          <SwitchRow
            title="Events"
            hint="In pages, while this page is open. The command npm run import does it without a browser."
            isChecked={draft.events}
            onChange={(events) => onChange({ events })}
          />
        </>
      )}
      <SwitchRow
        title="Overwrite what was edited here"
        hint="Otherwise it stays as it is."
        isChecked={draft.overwrite}
        onChange={(overwrite) => onChange({ overwrite })}
      />
    </fieldset>
  )
}

// Shows a condition: a property, an operator and a value; or a cohort; or another flag.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PropertyFilter } from '../api/client'
import { type Cohort, cohortListQuery, cohortQuery } from '../api/cohorts'
import { flagQuery, flagsQuery } from '../api/queries'
import { Button, IconButton } from '../design/button'
import { Suggest, type Suggestion, Tokens } from '../design/fields/combobox'
import { Select } from '../design/fields/field'
import { removePart } from '../design/part-focus'
import { usePropertyNames, usePropertyValues } from '../people/use-properties'
import { COMPARISONS } from '../grammar/operators'

/** Operators that take several values, of which any may match. */
const MULTIPLE: ReadonlySet<string> = new Set(['exact', 'is_not', 'icontains_multi', 'not_icontains_multi'])
const NO_VALUE: ReadonlySet<string> = new Set(['is_set', 'is_not_set'])

/** Filters of insights may be about events, which conditions of flags may not. */
const ownerOf = ({ type }: { type: string }) => (type === 'group' || type === 'event' ? type : 'person')

interface PropertyRowProps {
  projectId: number
  property: PropertyFilter
  groupType: number | null
  label: string
  issue: string | undefined
  /** What conditions may be about. Default: everything about people. */
  kinds?: readonly (keyof typeof KINDS)[]
  onChange(property: PropertyFilter | null): void
}

const KINDS = { event: 'Event', person: 'Person', cohort: 'Cohort', flag: 'Flag' } as const
const ALL_KINDS = ['person', 'cohort', 'flag'] as const

export function PropertyRow(props: PropertyRowProps) {
  const { property, groupType, label, issue, kinds = ALL_KINDS, onChange } = props
  return (
    <div className="property">
      <div className="row wrap">
        {groupType === null && (
          <Select
            label={`Kind of ${label}`}
            isSmall
            value={property.type}
            options={kinds.map((kind) => [kind, KINDS[kind]] as const)}
            onChange={(type) => onChange(EMPTY[type as keyof typeof EMPTY]())}
          />
        )}
        {property.type === 'cohort' ? (
          <CohortFields {...props} />
        ) : property.type === 'flag' ? (
          <FlagFields {...props} />
        ) : (
          <ComparisonFields {...props} />
        )}
        <IconButton
          label={`Remove ${label}`}
          isSmall
          onClick={(event) => removePart(event, () => onChange(null))}
        >
          <Trash2 size={15} aria-hidden />
        </IconButton>
      </div>
      {issue && (
        <p className="error-text" role="alert">
          {issue}
        </p>
      )}
    </div>
  )
}

/** A condition of each kind to begin with. */
export const EMPTY = {
  event: () => ({ ...EMPTY.person(), type: 'event' }) as unknown as PropertyFilter,
  person: (): PropertyFilter => ({ key: '', type: 'person', operator: 'exact', value: [] }),
  group: (): PropertyFilter => ({ key: '', type: 'group', operator: 'exact', value: [] }),
  cohort: (): PropertyFilter => ({ key: 'id', type: 'cohort', operator: 'in', value: null }),
  flag: (): PropertyFilter => ({ key: '', type: 'flag', operator: 'flag_evaluates_to', value: true }),
}

type ComparisonProps = Omit<PropertyRowProps, 'kinds' | 'onChange'> & {
  onChange(property: PropertyFilter): void
}

/** A property, an operator and a value. */
export function ComparisonFields({
  projectId,
  property,
  groupType,
  label,
  issue,
  onChange,
}: ComparisonProps) {
  const names = usePropertyNames(
    { projectId, kind: ownerOf(property), groupType },
    useDeferredValue(property.key),
  )
  const operator = property.operator ?? 'exact'
  return (
    <>
      <div className="property-key">
        <Suggest
          label={`Property of ${label}`}
          value={property.key}
          onChange={(key) => onChange({ ...property, key })}
          placeholder="Property"
          isInvalid={Boolean(issue) && property.key === ''}
          suggestions={names}
        />
      </div>
      <Select
        label={`Operator of ${label}`}
        isSmall
        value={operator}
        options={COMPARISONS}
        onChange={(next) => onChange({ ...property, operator: next, value: convert(property.value, next) })}
      />
      {!NO_VALUE.has(operator) && (
        <div className="property-value">
          <ValueField {...{ projectId, property, groupType, label, issue, onChange }} />
        </div>
      )}
    </>
  )
}

/** A value for another operator, as far as it fits. */
function convert(value: unknown, operator: string): unknown {
  if (NO_VALUE.has(operator)) return 'is_set'
  const values = (Array.isArray(value) ? value : [value]).filter(
    (each) => each !== null && each !== undefined && each !== '',
  )
  return MULTIPLE.has(operator) ? values.map(String) : String(values[0] ?? '')
}

const RELATIVE_DATES = ['-1h', '-1d', '-7d', '-30d', '-90d', '-1y'].map((value) => ({ value }))

function ValueField({ projectId, property, groupType, label, issue, onChange }: ComparisonProps) {
  const operator = property.operator ?? 'exact'
  const { key, value } = property
  // A list that the API stored for an operator of one value is shown as what it is.
  const isList = MULTIPLE.has(operator) || (Array.isArray(value) && value.length > 1)
  const text = String((Array.isArray(value) ? value[0] : value) ?? '')
  const [entry, setEntry] = useState('')
  const typed = useDeferredValue(isList ? entry : text)
  const values = usePropertyValues({ projectId, kind: ownerOf(property), groupType }, key, typed)
  const suggestions = operator.startsWith('is_date_') ? RELATIVE_DATES : values
  const isInvalid = Boolean(issue)
  if (isList) {
    const list = Array.isArray(value) ? value.map(String) : text === '' ? [] : [text]
    return (
      <Tokens
        label={`Values of ${label}`}
        values={list}
        onChange={(next) => onChange({ ...property, value: next })}
        suggestions={suggestions}
        onType={setEntry}
        placeholder="Values"
        isInvalid={isInvalid}
      />
    )
  }
  return (
    <Suggest
      label={`Value of ${label}`}
      value={text}
      onChange={(next) => onChange({ ...property, value: next })}
      suggestions={suggestions}
      placeholder={
        operator.startsWith('is_date_')
          ? '2026-01-31 or -30d'
          : operator.startsWith('semver_')
            ? '1.2.3'
            : 'Value'
      }
      isInvalid={isInvalid}
    />
  )
}

interface ReferenceProps<Item> {
  label: string
  placeholder: string
  isInvalid: boolean
  /** The name of the chosen one. */
  chosen: string
  /** Those that match what the user typed. */
  found: readonly Item[] | undefined
  onType(text: string): void
  /** Called with null while the text is not the name of one. */
  onChoose(item: Item | null): void
}

/** A field for the name of something that the condition refers to. */
function ReferenceField<Item extends Suggestion>({
  chosen,
  found,
  onType,
  onChoose,
  ...field
}: ReferenceProps<Item>) {
  // The typed text, until it is a name.
  const [text, setText] = useState<string | null>(null)
  const choose = (typed: string) => {
    const item = found?.find(({ value }) => value === typed) ?? null
    setText(item ? null : typed)
    onType(item ? '' : typed)
    onChoose(item)
  }
  // The name may be typed before it is found.
  useEffect(() => {
    if (text !== null && found?.some(({ value }) => value === text)) choose(text)
  }, [found])
  return (
    <div className="property-value">
      <Suggest {...field} value={text ?? chosen} onChange={choose} suggestions={found ?? []} />
    </div>
  )
}

function CohortFields({ projectId, property, label, issue, onChange }: PropertyRowProps) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const found = useInfiniteQuery({
    ...cohortListQuery(projectId, search ? { search } : {}),
    select: ({ pages }) => withDistinctNames(pages[0]?.results ?? []),
  })
  const id = Number(property.value ?? 0)
  const chosen = useQuery({ ...cohortQuery(projectId, id), enabled: id > 0 })
  return (
    <>
      <Select
        label={`Operator of ${label}`}
        isSmall
        value={property.operator ?? 'in'}
        options={[
          ['in', 'is in cohort'],
          ['not_in', 'is not in cohort'],
        ]}
        onChange={(operator) => onChange({ ...property, operator })}
      />
      <ReferenceField
        label={`Cohort of ${label}`}
        placeholder={found.data?.length === 0 && search === '' ? 'There is no cohort' : 'Name of a cohort'}
        isInvalid={Boolean(issue)}
        chosen={id === 0 ? '' : (chosen.data?.name ?? `Cohort ${id}`)}
        found={found.data}
        onType={setText}
        // Reads add the name as well, so that it makes no difference before a save.
        onChoose={(cohort) =>
          onChange({ ...property, value: cohort?.id ?? null, cohort_name: cohort?.ownName })
        }
      />
    </>
  )
}

/** Cohorts with unique names: those that share a name have their id too. */
const withDistinctNames = (
  cohorts: readonly Cohort[],
): { id: number; value: string; ownName: string | undefined }[] =>
  cohorts.map(({ id, name }) => ({
    id,
    ownName: name ?? undefined,
    value: cohorts.some((other) => other.id !== id && other.name === name) ? `${name} (${id})` : name,
  }))

function FlagFields({ projectId, property, label, issue, onChange }: PropertyRowProps) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const found = useInfiniteQuery({
    ...flagsQuery(projectId, search ? { search } : { order: 'key' }),
    select: ({ pages }) =>
      (pages[0]?.results ?? []).map(({ id, key, name }) => ({ id, value: key, detail: name })),
  })
  const chosen = useQuery({
    ...flagQuery(projectId, Number(property.key)),
    enabled: /^\d+$/.test(property.key),
  })
  const variants = chosen.data?.filters.multivariate?.variants ?? []
  return (
    <>
      <ReferenceField
        label={`Flag of ${label}`}
        placeholder="Key of a flag"
        isInvalid={Boolean(issue)}
        chosen={chosen.data?.key ?? (typeof property.label === 'string' ? property.label : '')}
        found={found.data}
        onType={setText}
        onChoose={(flag) =>
          onChange({ ...property, key: flag ? String(flag.id) : '', label: flag?.value, value: true })
        }
      />
      <Select
        label={`Value of ${label}`}
        isSmall
        value={String(property.value)}
        options={[
          ['true', 'is on'],
          ['false', 'is off'],
          ...variants.map(({ key }) => [key, `is ${key}`] as const),
        ]}
        onChange={(value) =>
          onChange({ ...property, value: value === 'true' ? true : value === 'false' ? false : value })
        }
      />
    </>
  )
}

/** Adds a condition as the last one of the fieldset around it, and puts the focus where it is typed. */
export const AddCondition = ({ onAdd }: { onAdd(): void }) => (
  <Button
    isSmall
    kind="plain"
    onClick={({ currentTarget }) => {
      const fields = currentTarget.closest('fieldset')
      flushSync(onAdd)
      const inputs = fields?.querySelectorAll<HTMLElement>('.property-key input') ?? []
      Array.from(inputs).at(-1)?.focus()
    }}
  >
    <Plus size={14} aria-hidden /> Add condition
  </Button>
)

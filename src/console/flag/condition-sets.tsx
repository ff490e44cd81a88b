// Shows release conditions: condition sets, of which the first that matches decides.
import { ArrowDown, ArrowUp, Copy, Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { ConditionSet } from '../api/client'
import { Button } from '../design/button'
import { Select } from '../design/fields/field'
import { addPart } from '../design/part-focus'
import { Notice } from '../design/feedback'
import { MoreMenu } from '../design/popups/more-menu'
import { isOnlyOfGroups, partsOf, setsOf } from '../grammar/sets'
import { useWording } from '../grammar/use-wording'
import { type Draft, issueOf, type Issues, kindOf, moveBy, NEW_SET, replaceAt, variantsOf } from './draft'
import { AddCondition, PropertyRow } from './property-row'
import { SetReach, TotalReach, useSubjects } from './reach-lines'
import { PercentField } from './values'

/** Explains how condition sets decide. */
export function releaseHint(draft: Draft): string {
  const one = isOnlyOfGroups(draft.filters) ? 'group' : 'person'
  if (draft.filters.early_exit)
    return `The first condition set whose conditions a ${one} matches decides: one whom its share leaves out does not get it.`
  return kindOf(draft) === 'variants'
    ? `The first condition set that matches a ${one}, and whose share includes them, decides the variant.`
    : `A ${one} gets it if any condition set matches them and its share includes them.`
}

interface ConditionSetsProps {
  projectId: number
  draft: Draft
  onChange(draft: Draft): void
  issues: Issues
  areIssuesShown: boolean
  refused: string | null
}

export function ConditionSets({
  projectId,
  draft,
  onChange,
  issues,
  areIssuesShown,
  refused,
}: ConditionSetsProps) {
  const { groups } = draft.filters
  const adding = useRef<HTMLButtonElement>(null)
  const { groupTypes, subjectOf } = useSubjects(projectId)
  const complete = setsOf(draft.filters)
  const wording = useWording(projectId, complete)
  const groupTypeAt = (index: number) => complete[index]!.aggregation_group_type_index
  const setGroups = (next: ConditionSet[]) =>
    onChange({ ...draft, filters: { ...draft.filters, groups: next } })
  return (
    <>
      {refused && <Notice tone="bad">{refused}</Notice>}
      {groups.length === 0 && <p className="soft">No one: there is no condition set.</p>}
      {groups.map((set, index) => (
        // Sets have no identity but their place.
        <div key={index} className="stack">
          {index > 0 && <div className="or">{draft.filters.early_exit ? 'otherwise' : 'or'}</div>}
          <SetEditor
            projectId={projectId}
            set={set}
            index={index}
            count={groups.length}
            groupType={groupTypeAt(index)}
            subject={subjectOf(groupTypeAt(index))}
            members={partsOf(complete[index]!, wording).members}
            groupTypes={groupTypes}
            variants={variantsOf(draft.filters).map(({ key }) => key)}
            showIssueOf={(at) =>
              areIssuesShown ? issues.get(`groups.${index}.properties.${at}`) : undefined
            }
            onChange={(next) => {
              setGroups(replaceAt(groups, index, next))
              // The menu gives the focus back to its button, which is gone with the last set.
              if (next === null && index === groups.length - 1) setTimeout(() => adding.current?.focus())
            }}
            onMove={(by) => setGroups(moveBy(groups, index, by))}
            onCopy={() =>
              setGroups([...groups.slice(0, index + 1), structuredClone(set), ...groups.slice(index + 1)])
            }
          />
        </div>
      ))}
      <div>
        <Button
          ref={adding}
          onClick={() => addPart('fieldset.set', () => setGroups([...groups, { ...NEW_SET }]))}
        >
          <Plus size={15} aria-hidden /> Add condition set
        </Button>
      </div>
      {groups.length > 1 && <TotalReach projectId={projectId} filters={draft.filters} />}
    </>
  )
}

interface SetProps {
  projectId: number
  set: ConditionSet
  index: number
  count: number
  groupType: number | null
  /** Those whom the set is about: `people`. */
  subject: string
  /** Those who match: `people whose plan is pro`. */
  members: string
  groupTypes: readonly { group_type: string; group_type_index: number }[]
  variants: readonly string[]
  showIssueOf(property: number): string | undefined
  onChange(set: ConditionSet | null): void
  onMove(by: 1 | -1): void
  onCopy(): void
}

function SetEditor(props: SetProps) {
  const {
    projectId,
    set,
    index,
    count,
    groupType,
    subject,
    members,
    groupTypes,
    variants,
    showIssueOf,
    onChange,
    onMove,
    onCopy,
  } = props
  const properties = set.properties ?? []
  const share = set.rollout_percentage ?? 100
  const setProperties = (next: typeof properties) => onChange({ ...set, properties: next })
  return (
    <fieldset className="set">
      <legend className="visually-hidden">Condition set {index + 1}</legend>
      <div className="row spread">
        <div className="row wrap">
          <span className="badge">Set {index + 1}</span>
          {groupTypes.length > 0 && (
            <Select
              label={`What set ${index + 1} is about`}
              isSmall
              value={groupType === null ? '' : String(groupType)}
              options={[
                ['', 'People'],
                ...groupTypes.map((type) => [String(type.group_type_index), type.group_type] as const),
              ]}
              onChange={(value) =>
                // Conditions of people do not fit groups.
                onChange({
                  ...set,
                  aggregation_group_type_index: value === '' ? null : Number(value),
                  properties: [],
                })
              }
            />
          )}
        </div>
        <MoreMenu
          label={`Actions for set ${index + 1}`}
          isSmall
          items={[
            { label: 'Move up', icon: ArrowUp, disabled: index === 0, onSelect: () => onMove(-1) },
            { label: 'Move down', icon: ArrowDown, disabled: index === count - 1, onSelect: () => onMove(1) },
            { label: 'Duplicate', icon: Copy, onSelect: onCopy },
            { label: 'Remove', icon: Trash2, isDanger: true, onSelect: () => onChange(null) },
          ]}
        />
      </div>

      {properties.length === 0 ? (
        <p className="soft small">No conditions: all {subject} match.</p>
      ) : (
        <ul className="conditions">
          {properties.map((property, at) => (
            <li key={at}>
              <span className="joint" aria-hidden>
                {at === 0 ? 'if' : 'and'}
              </span>
              <PropertyRow
                projectId={projectId}
                property={property}
                groupType={groupType}
                label={`condition ${at + 1} of set ${index + 1}`}
                issue={showIssueOf(at)}
                onChange={(next) => setProperties(replaceAt(properties, at, next))}
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <AddCondition
          onAdd={() =>
            setProperties([
              ...properties,
              groupType === null
                ? { key: '', type: 'person', operator: 'exact', value: [] }
                : { key: '', type: 'group', group_type_index: groupType, operator: 'exact', value: [] },
            ])
          }
        />
      </div>

      <div className="rollout">
        <span className="label">Roll out to</span>
        <input
          type="range"
          className="slider"
          aria-label={`Share of set ${index + 1} in percent`}
          aria-valuetext={`${share}%`}
          min={0}
          max={100}
          // A share with decimals is no step of 1, and would be shown as another. A move ends on a whole one.
          step={share % 1 === 0 ? 1 : 'any'}
          value={share}
          onChange={({ target: { valueAsNumber: moved } }) =>
            onChange({ ...set, rollout_percentage: moved > share ? Math.floor(moved) : Math.ceil(moved) })
          }
        />
        <PercentField
          label={`Share of set ${index + 1}`}
          value={share}
          onChange={(value) => onChange({ ...set, rollout_percentage: value })}
        />
        <span className="soft small">
          of {properties.every((property) => issueOf(property) === null) ? members : `${subject} who match`}
        </span>
      </div>
      {variants.length > 0 && (
        <div className="row wrap">
          <span className="label">Variant</span>
          <Select
            label={`Variant of set ${index + 1}`}
            isSmall
            value={set.variant ?? ''}
            options={[
              ['', 'Split by the shares of the variants'],
              ...variants.map((key) => [key, `Always ${key}`] as const),
            ]}
            onChange={(variant) => onChange({ ...set, variant: variant === '' ? null : variant })}
          />
        </div>
      )}
      <SetReach projectId={projectId} set={set} groupType={groupType} subject={subject} />
    </fieldset>
  )
}

// Adds a policy, or changes one.
import { fieldErrors } from '../api/field-errors'
import { readExpiry, UNITS, writeExpiry } from './expiry'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Policy, type PolicyBody, refreshPolicies, savePolicy } from '../api/approvals'
import type { Member } from '../api/client'
import { Button } from '../design/button'
import { FormDialog } from '../design/popups/dialog'
import { CheckList } from '../design/fields/choices'
import { CountField } from '../design/fields/count-field'
import { Select, SelectField, SwitchRow, TextField } from '../design/fields/field'
import { nameOf } from '../design/small'
import { say } from '../design/popups/toast'
import { LEVELS, OPERATORS } from './words'

interface Props {
  projectId: number
  /** The policy that is changed, or null for a new one. */
  policy: Policy | null
  /** Those that a policy can be for. */
  actions: readonly (readonly [Policy['action_key'], string])[]
  members: readonly Member[]
  onClose(): void
}

type ConditionType = '' | 'any_change' | 'before_after' | 'change_amount'

const CONDITIONS: readonly (readonly [ConditionType, string])[] = [
  ['', 'All changes'],
  ['any_change', 'Changes of a percentage'],
  ['before_after', 'Changes after which a percentage is'],
  ['change_amount', 'Changes that add to a percentage'],
]

const toggled = <T,>(list: readonly T[], member: T, isIn: boolean): T[] =>
  isIn ? [...list, member] : list.filter((each) => each !== member)

export function PolicyForm({ projectId, policy, actions, members, onClose }: Props) {
  const stored = (policy?.conditions ?? {}) as { type?: ConditionType; operator?: string; value?: number }
  const [action, setAction] = useState(policy?.action_key ?? actions[0]![0])
  const [condition, setCondition] = useState<ConditionType>(stored.type ?? '')
  const [operator, setOperator] = useState(stored.operator ?? '>')
  const [percentage, setPercentage] = useState(String(stored.value ?? 50))
  const [users, setUsers] = useState<readonly number[]>(policy?.approver_config.users ?? [])
  const [quorum, setQuorum] = useState(policy?.approver_config.quorum ?? 1)
  const [isSelfAllowed, setIsSelfAllowed] = useState(policy?.allow_self_approve ?? false)
  const [levels, setLevels] = useState<readonly number[]>(policy?.bypass_org_membership_levels ?? [])
  const [expiry, setExpiry] = useState(() => readExpiry(policy?.expires_after ?? '14 00:00:00'))
  const [isEnabled, setIsEnabled] = useState(policy?.enabled ?? true)
  const isUpdate = action === 'feature_flag.update'
  const isCompared = isUpdate && (condition === 'before_after' || condition === 'change_amount')

  const save = useMutation({
    mutationFn: () =>
      savePolicy(projectId, policy?.id ?? null, {
        action_key: action,
        conditions: (!isUpdate || condition === ''
          ? {}
          : {
              type: condition,
              field: 'rollout_percentage',
              ...(isCompared ? { operator, value: Number(percentage) } : {}),
            }) as NonNullable<PolicyBody['conditions']>,
        approver_config: { quorum, users: [...users] },
        allow_self_approve: isSelfAllowed,
        bypass_org_membership_levels: [...levels],
        expires_after: writeExpiry(expiry),
        enabled: isEnabled,
      }),
    async onSuccess() {
      await refreshPolicies(projectId)
      say('The policy is saved.')
      onClose()
    },
  })
  const { errorOf, otherError } = fieldErrors(save.error, [
    'approver_config__quorum',
    'approver_config__users',
    'expires_after',
    'conditions',
  ])
  const choices = members.filter(({ level }) => level > 0)
  const strangers = users.filter((id) => !choices.some(({ user }) => user.id === id))
  return (
    <FormDialog
      title={policy ? 'Change the policy' : 'Add a policy'}
      action={policy ? 'Save' : 'Add'}
      isBusy={save.isPending}
      onClose={onClose}
      error={otherError}
      onSubmit={() => save.mutate()}
    >
      <SelectField
        label="What needs approval"
        hint={
          isUpdate
            ? 'Filters, key, deletion and everything else that results depend on. Not name and tags.'
            : null
        }
        value={action}
        options={actions}
        disabled={policy !== null}
        onChange={(next) => setAction(next)}
      />
      {isUpdate && (
        <SelectField<ConditionType>
          label="Which of them"
          error={errorOf('conditions')}
          value={condition}
          options={CONDITIONS}
          onChange={(next) => setCondition(next)}
        />
      )}
      {isCompared && (
        <>
          <SelectField label="Comparison" value={operator} options={OPERATORS} onChange={setOperator} />
          <TextField
            label="Percent"
            type="number"
            step="any"
            required
            value={percentage}
            onChange={setPercentage}
          />
        </>
      )}
      <CheckList
        legend="Who may approve"
        options={choices.map(
          ({ user }) => [user.id, nameOf(user), <span className="soft small">{user.email}</span>] as const,
        )}
        isChosen={(id) => users.includes(id)}
        onChoose={(id, isIn) => setUsers(toggled(users, id, isIn))}
        isInvalid={errorOf('approver_config__users') !== null}
      >
        {strangers.length > 0 && (
          <p className="row small">
            {strangers.length} who {strangers.length === 1 ? 'has' : 'have'} left or only{' '}
            {strangers.length === 1 ? 'reads' : 'read'}.{' '}
            <Button isSmall onClick={() => setUsers(users.filter((id) => !strangers.includes(id)))}>
              Remove
            </Button>
          </p>
        )}
        {errorOf('approver_config__users') && (
          <p className="error-text small" role="alert">
            {errorOf('approver_config__users')}
          </p>
        )}
      </CheckList>
      <CountField
        label="Approvals needed"
        error={errorOf('approver_config__quorum')}
        max={10}
        value={quorum}
        onChange={setQuorum}
      />
      <SwitchRow
        title="Own changes"
        hint="Approvers may approve changes that they made."
        isChecked={isSelfAllowed}
        onChange={setIsSelfAllowed}
      />
      <CheckList
        legend="Who needs no approval"
        options={LEVELS}
        isChosen={(level) => levels.includes(level)}
        onChoose={(level, isIn) => setLevels(toggled(levels, level, isIn))}
      />
      <CountField
        label="Requests expire after"
        error={errorOf('expires_after')}
        value={expiry.count}
        onChange={(count) => setExpiry({ ...expiry, count })}
      >
        <Select
          label="Unit"
          value={expiry.unit}
          options={UNITS}
          onChange={(unit) => setExpiry({ ...expiry, unit })}
        />
      </CountField>
      <SwitchRow title="Applies" isChecked={isEnabled} onChange={setIsEnabled} />
    </FormDialog>
  )
}

// Adds a policy, or changes one.
import { fieldErrors } from '../api/field-errors'
import { readExpiry, UNITS, writeExpiry } from './expiry'
import { useForm } from '../edit/use-form'
import { POLICIES, policiesQuery, type Policy, type PolicyBody } from '../api/approvals'
import { type Member, patch, post } from '../api/client'
import { inProject, itemIn, refresh } from '../api/queries'
import { Button } from '../design/button'
import { FormDialog } from '../design/popups/dialog'
import { CheckList, toggled } from '../design/fields/choices'
import { CountField } from '../design/fields/count-field'
import { Select, SelectField, SwitchRow, TextField } from '../design/fields/field'
import { nameOf } from '../design/small'
import { useClose } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { LEVELS, OPERATORS } from './words'

interface Props {
  projectId: number
  /** The policy that is changed, or null for a new one. */
  policy: Policy | null
  /** Those that a policy can be for. */
  actions: readonly (readonly [Policy['action_key'], string])[]
  members: readonly Member[]
}

type ConditionType = '' | 'any_change' | 'before_after' | 'change_amount'

const CONDITIONS: readonly (readonly [ConditionType, string])[] = [
  ['', 'All changes'],
  ['any_change', 'Changes of a percentage'],
  ['before_after', 'Changes after which a percentage is'],
  ['change_amount', 'Changes that add to a percentage'],
]

const UPDATE = 'feature_flag.update'

/** Whether a policy is for changes of a percentage that compare it with another. */
const isCompared = ({ action, condition }: { action: Policy['action_key']; condition: ConditionType }) =>
  action === UPDATE && (condition === 'before_after' || condition === 'change_amount')

export function PolicyForm({ projectId, policy, actions, members }: Props) {
  const stored = (policy?.conditions ?? {}) as { type?: ConditionType; operator?: string; value?: number }
  const savePolicy = (body: PolicyBody): Promise<Policy> =>
    policy
      ? patch(`${POLICIES}{id}/`, itemIn(projectId, policy.id), body)
      : post(POLICIES, { path: inProject(projectId) }, body)
  const close = useClose()
  const form = useForm(
    {
      action: policy?.action_key ?? actions[0]![0],
      condition: stored.type ?? '',
      operator: stored.operator ?? '>',
      percentage: String(stored.value ?? 50),
      users: policy?.approver_config.users ?? [],
      quorum: policy?.approver_config.quorum ?? 1,
      isSelfAllowed: policy?.allow_self_approve ?? false,
      levels: (policy?.bypass_org_membership_levels ?? []) as readonly number[],
      expiry: readExpiry(policy?.expires_after ?? '14 00:00:00'),
      isEnabled: policy?.enabled ?? true,
    },
    (entered) =>
      savePolicy({
        action_key: entered.action,
        conditions: (entered.action !== UPDATE || entered.condition === ''
          ? {}
          : {
              type: entered.condition,
              field: 'rollout_percentage',
              ...(isCompared(entered)
                ? { operator: entered.operator, value: Number(entered.percentage) }
                : {}),
            }) as NonNullable<PolicyBody['conditions']>,
        approver_config: { quorum: entered.quorum, users: entered.users },
        allow_self_approve: entered.isSelfAllowed,
        bypass_org_membership_levels: [...entered.levels],
        expires_after: writeExpiry(entered.expiry),
        enabled: entered.isEnabled,
      }),
    async () => {
      await refresh(policiesQuery(projectId))
      say('The policy is saved.')
      close()
    },
  )
  const { action, users, levels, expiry } = form.values
  const { errorOf, otherError } = fieldErrors(form.error, [
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
      {...form.props}
      error={otherError}
    >
      <SelectField
        label="What needs approval"
        hint={
          action === UPDATE
            ? 'Filters, key, deletion and everything else that results depend on. Not name and tags.'
            : null
        }
        options={actions}
        disabled={policy !== null}
        {...form.field('action')}
      />
      {action === UPDATE && (
        <SelectField<ConditionType>
          label="Which of them"
          options={CONDITIONS}
          {...form.field('condition')}
          error={errorOf('conditions')}
        />
      )}
      {isCompared(form.values) && (
        <>
          <SelectField label="Comparison" options={OPERATORS} {...form.field('operator')} />
          <TextField label="Percent" type="number" step="any" required {...form.field('percentage')} />
        </>
      )}
      <CheckList
        legend="Who may approve"
        options={choices.map(
          ({ user }) => [user.id, nameOf(user), <span className="soft small">{user.email}</span>] as const,
        )}
        isChosen={(id) => users.includes(id)}
        onChoose={(id, isIn) => form.set({ users: toggled(users, id, isIn) })}
        isInvalid={errorOf('approver_config__users') !== null}
      >
        {strangers.length > 0 && (
          <p className="row small">
            {strangers.length} who {strangers.length === 1 ? 'has' : 'have'} left or only{' '}
            {strangers.length === 1 ? 'reads' : 'read'}.{' '}
            <Button
              isSmall
              onClick={() => form.set({ users: users.filter((id) => !strangers.includes(id)) })}
            >
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
        max={10}
        {...form.field('quorum')}
        error={errorOf('approver_config__quorum')}
      />
      <SwitchRow
        title="Own changes"
        hint="Approvers may approve changes that they made."
        isChecked={form.values.isSelfAllowed}
        onChange={(isSelfAllowed) => form.set({ isSelfAllowed })}
      />
      <CheckList
        legend="Who needs no approval"
        options={LEVELS}
        isChosen={(level) => levels.includes(level)}
        onChoose={(level, isIn) => form.set({ levels: toggled(levels, level, isIn) })}
      />
      <CountField
        label="Requests expire after"
        error={errorOf('expires_after')}
        value={expiry.count}
        onChange={(count) => form.set({ expiry: { ...expiry, count } })}
      >
        <Select
          label="Unit"
          value={expiry.unit}
          options={UNITS}
          onChange={(unit) => form.set({ expiry: { ...expiry, unit } })}
        />
      </CountField>
      <SwitchRow
        title="Applies"
        isChecked={form.values.isEnabled}
        onChange={(isEnabled) => form.set({ isEnabled })}
      />
    </FormDialog>
  )
}

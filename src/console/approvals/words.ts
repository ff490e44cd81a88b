// Describes policies and change requests in words. The functions are pure.
import type { ChangeRequest, Policy } from '../api/approvals'
import type { Wording } from '../grammar/conditions'
import { type Change, changesBetween, differencesOf } from '../grammar/differences'

export const ACTIONS: readonly (readonly [Policy['action_key'], string])[] = [
  ['feature_flag.update', 'Change who gets what'],
  ['feature_flag.enable', 'Enable a flag'],
  ['feature_flag.disable', 'Disable a flag'],
]

export const actionWords = (key: string): string => ACTIONS.find(([each]) => each === key)?.[1] ?? key

export const LEVELS: readonly (readonly [number, string])[] = [
  [1, 'Members'],
  [8, 'Admins'],
  [15, 'Owners'],
]

const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '==': 'exactly',
  '!=': 'other than',
}

export const OPERATORS = Object.entries(OPERATOR_WORDS)

/** Describes the changes to which a policy is limited. Returns null for all changes. */
export function conditionWords(conditions: Policy['conditions']): string | null {
  const { type, operator, value } = conditions as { type?: string; operator?: string; value?: number }
  const amount = `${OPERATOR_WORDS[operator ?? ''] ?? ''} ${value ?? ''}%`
  switch (type) {
    case 'any_change':
      return 'any percentage changes'
    case 'before_after':
      return `a percentage is then ${amount}`
    case 'change_amount':
      return `a percentage grows by ${amount}`
    default:
      return null
  }
}

const STATES: Readonly<
  Record<ChangeRequest['state'], { tone: '' | 'good' | 'warn' | 'bad' | 'accent'; text: string }>
> = {
  pending: { tone: 'accent', text: 'Waiting' },
  applied: { tone: 'good', text: 'Applied' },
  rejected: { tone: 'bad', text: 'Rejected' },
  expired: { tone: '', text: 'Expired' },
  failed: { tone: 'bad', text: 'Failed' },
}

const CANCELED = { tone: '', text: 'Canceled' } as const

/** A request that its author cancels has their vote against it, and the state of a rejected one. */
export const stateOf = ({ state, approvals, created_by: author }: ChangeRequest) =>
  state === 'rejected' && approvals.some((vote) => vote.decision === 'rejected' && isBy(author, vote))
    ? CANCELED
    : STATES[state]

/** Describes a vote as `stateOf` does a request. */
export const voteOf = ({ created_by: author }: ChangeRequest, vote: ChangeRequest['approvals'][number]) =>
  vote.decision === 'approved' ? APPROVED : isBy(author, vote) ? CANCELED : STATES.rejected

const APPROVED = { tone: 'good', text: 'Approved' } as const

const isBy = (
  author: ChangeRequest['created_by'],
  { created_by: voter }: ChangeRequest['approvals'][number],
): boolean => author !== null && author.id === voter?.id

/** Returns what a request changes. */
export const changesOf = ({ intent_display: { before, after } }: ChangeRequest): Change[] =>
  changesBetween(Object.keys(after), before, after)

/** Returns a title such as `checkout: Enables the flag, and 1 more change`. */
export function titleOf(request: ChangeRequest, wording: Wording): string {
  const { flag_key: key } = request.intent
  const [first, ...others] = changesOf(request).flatMap((change) => differencesOf(change, wording))
  if (!first) return `Change ${key}`
  const more =
    others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'change' : 'changes'}`
  return `${key}: ${first.sentence.replace(/[.:]$/, '')}${more}`
}

/** Returns words such as `1 of 2 approvals`. */
export const progressWords = ({ approvals, policy_snapshot: { quorum } }: ChangeRequest): string => {
  const given = approvals.filter((vote) => vote.decision === 'approved' && vote.is_counted).length
  return `${given} of ${quorum} ${quorum === 1 ? 'approval' : 'approvals'}`
}

const LISTS = {
  and: new Intl.ListFormat('en', { type: 'conjunction' }),
  or: new Intl.ListFormat('en', { type: 'disjunction' }),
}

/** Says who has to approve: `Ada has to approve.`, `Ada or Bob has to approve.`, `2 of Ada, Bob, and Cleo have to approve.` */
export function approverWords(names: readonly string[], quorum: number): string {
  const [all, any] = [LISTS.and.format(names), LISTS.or.format(names)]
  if (quorum >= names.length) return `${all} ${names.length === 1 ? 'has' : 'have'} to approve.`
  return quorum === 1 ? `${any} has to approve.` : `${quorum} of ${all} have to approve.`
}

/** Says who approved: `approved by Ada and Bob`. */
export const approvedWords = (names: readonly string[]): string =>
  names.length === 0 ? 'approved' : `approved by ${LISTS.and.format(names)}`

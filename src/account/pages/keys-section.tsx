import type { FC } from 'hono/jsx'
import type { KeyRecord } from '../keys/key-record'
import { SERVED_SCOPES } from '../keys/key-scopes'
import { ConfirmedPost, Card, Field, Notice, type PageNotice, Post, Time } from '../../pages/layout'

interface Props {
  csrf: string
  notice: PageNotice | null
  keys: KeyRecord[]
  newKey: string | null
  now: Date
}

export const KeySection: FC<Props> = ({ csrf, notice, keys, newKey, now }) => {
  const rejected = notice?.section === 'keys' ? notice.values : undefined
  const chosen = rejected?.getAll('scopes') ?? []
  return (
    <Card
      id="keys"
      title="Personal API keys"
      about="For programs that act in your name. Give each one its own key, with no more than it needs."
      notice={newKey ? null : notice}
    >
      {newKey ? (
        <Notice tone="good">
          <strong>Your new key. Copy it now: it is not shown again.</strong>
          <code class="secret" id="new-key">
            {newKey}
          </code>
        </Notice>
      ) : null}
      {keys.length ? (
        <ul class="list">
          {keys.map((key) => (
            <KeyItem csrf={csrf} record={key} now={now} />
          ))}
        </ul>
      ) : (
        <p class="soft">You have no keys.</p>
      )}
      <details open={notice?.section === 'keys' && notice.tone === 'bad'}>
        <summary>New key</summary>
        <Post csrf={csrf} to="/settings/keys/create#keys">
          <input type="hidden" name="form" value={crypto.randomUUID()} />
          <Field
            label="What is it for?"
            name="label"
            value={rejected?.get('label') ?? ''}
            required
            maxlength={40}
            autocomplete="off"
          />
          <fieldset>
            <legend>What may it do?</legend>
            <div class="choices">
              <Choice scope="*" opens="Everything that you may" isChecked={chosen.includes('*')} />
              {SERVED_SCOPES.map(([scope, opens]) => (
                <Choice scope={scope} opens={opens} isChecked={chosen.includes(scope)} />
              ))}
            </div>
          </fieldset>
          <button type="submit">Create key</button>
        </Post>
      </details>
    </Card>
  )
}

const KeyItem: FC<{ csrf: string; record: KeyRecord; now: Date }> = ({ csrf, record, now }) => (
  <li>
    <div class="what">
      <span class="name">
        {record.label}
        <code>{record.mask_value}</code>
      </span>
      <span class="small soft">
        {record.scopes.includes('*') ? 'Everything' : record.scopes.join(', ')}
        {' · '}
        {record.last_used_at ? (
          <>
            Used <Time at={record.last_used_at} now={now} />
          </>
        ) : (
          'Never used'
        )}
      </span>
    </div>
    <ConfirmedPost
      csrf={csrf}
      to="/settings/keys/delete#keys"
      action="Delete"
      label={`Delete ${record.label}`}
      question="Programs that use it lose access at once."
    >
      <input type="hidden" name="id" value={record.id} />
    </ConfirmedPost>
  </li>
)

const Choice: FC<{ scope: string; opens: string; isChecked: boolean }> = ({ scope, opens, isChecked }) => (
  <label class="choice">
    <input type="checkbox" name="scopes" value={scope} checked={isChecked} />
    <span>
      {opens} <code class="small">{scope}</code>
    </span>
  </label>
)

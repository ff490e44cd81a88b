// Personal API keys: the list, and the form for another one.
import type { FC } from 'hono/jsx'
import type { KeyRecord } from '../keys/record'
import { SERVED_SCOPES } from '../keys/scopes'
import { Csrf, Field, Notice } from './layout'
import { momentText } from './moment'

export const KeySection: FC<{ csrf: string; keys: KeyRecord[]; newKey: string | null }> = ({
  csrf,
  keys,
  newKey,
}) => (
  <section class="card" aria-labelledby="keys">
    <header>
      <h2 id="keys">Personal API keys</h2>
      <p class="soft small">
        For programs that act in your name. Give each one its own key, with no more than it needs.
      </p>
    </header>
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
          <li>
            <div class="what">
              <span class="name">
                {key.label} <code>{key.mask_value}</code>
              </span>
              <span class="small soft">
                {key.scopes.includes('*') ? 'Everything' : key.scopes.join(', ')}
                {' · '}
                {key.last_used_at ? `Used ${momentText(key.last_used_at)}` : 'Never used'}
              </span>
            </div>
            <form class="inline" method="post" action="/settings/keys/delete">
              <Csrf token={csrf} />
              <input type="hidden" name="id" value={key.id} />
              <button class="danger" type="submit" aria-label={`Delete ${key.label}`}>
                Delete
              </button>
            </form>
          </li>
        ))}
      </ul>
    ) : (
      <p class="soft">You have no keys.</p>
    )}
    <form method="post" action="/settings/keys/create">
      <Csrf token={csrf} />
      <h3>New key</h3>
      <Field label="What is it for?" name="label" required maxlength={40} autocomplete="off" />
      <fieldset>
        <legend>What may it do?</legend>
        <div class="choices">
          <Choice scope="*" opens="Everything that you may" />
          {SERVED_SCOPES.map(([scope, opens]) => (
            <Choice scope={scope} opens={opens} />
          ))}
        </div>
      </fieldset>
      <button type="submit">Create key</button>
    </form>
  </section>
)

const Choice: FC<{ scope: string; opens: string }> = ({ scope, opens }) => (
  <label class="choice">
    <input type="checkbox" name="scopes" value={scope} />
    <span>
      {opens} <code class="small">{scope}</code>
    </span>
  </label>
)

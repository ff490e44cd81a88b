// Shows the provider of single sign-on, its domains and the levels that it gives.
import { X } from 'lucide-react'
import { useForm } from '../edit/use-form'
import type { GrantedLevel, SingleSignOn, SingleSignOnBody } from '../api/single-sign-on'
import { Button, IconButton } from '../design/button'
import { AreaField, Input, Select, SelectField, TextField } from '../design/fields/field'
import { FormDialog } from '../design/popups/dialog'
import { useClose } from '../design/popups/opened'
import { CodeBlock } from '../design/small'
import { ADMIN, levelOptions } from './levels'

interface Props {
  settings: SingleSignOn
  save(body: SingleSignOnBody): Promise<SingleSignOn>
  onSaved(saved: SingleSignOn): void
}

/** A provider gives no ownership. */
const GRANTED = levelOptions(ADMIN)

const levelIn = (text: string) => Number(text) as GrantedLevel

export function SingleSignOnForm({ settings, save, onSaved }: Props) {
  const close = useClose()
  const form = useForm(
    {
      issuer: settings.issuer ?? '',
      client_id: settings.client_id ?? '',
      client_secret: '',
      domains: settings.domains.join('\n'),
      default_level: String(settings.default_level),
      level_claim: settings.level_claim ?? '',
      levels: Object.entries(settings.levels).map(([value, level]) => [value, String(level)] as const),
    },
    ({ client_secret: secret, ...entered }) =>
      save({
        issuer: entered.issuer.trim(),
        client_id: entered.client_id,
        ...(secret === '' ? {} : { client_secret: secret }),
        domains: entered.domains.split(/[\s,]+/).filter(Boolean),
        default_level: levelIn(entered.default_level),
        level_claim: entered.level_claim.trim() || null,
        levels: Object.fromEntries(
          entered.levels.filter(([value]) => value !== '').map(([value, level]) => [value, levelIn(level)]),
        ),
        is_enforced: settings.is_enforced,
      }),
    (saved) => {
      close()
      onSaved(saved)
    },
  )
  const { level_claim: claim, levels } = form.values
  const setLevel = (at: number, changed: readonly [string, string]) =>
    form.set({ levels: levels.with(at, changed) })
  return (
    <FormDialog
      title={settings.issuer ? 'Change single sign-on' : 'Set up single sign-on'}
      description={
        <>
          Register an application at your provider with the redirect URI below.{' '}
          <a href="/docs/guide/single-sign-on" target="_blank" rel="noreferrer">
            How to, for each provider
          </a>
        </>
      }
      action="Save"
      {...form.props}
    >
      <CodeBlock label="Redirect URI" code={settings.redirect_uri} />
      <TextField label="Issuer" type="url" placeholder="https://" {...form.field('issuer')} />
      <TextField label="Client id" {...form.field('client_id')} />
      <TextField
        label="Client secret"
        hint={settings.issuer ? 'Leave empty to keep it.' : undefined}
        type="password"
        autoComplete="new-password"
        {...form.field('client_secret')}
      />
      <AreaField
        label="Email domains"
        hint="One a line. Each has to be verified by a DNS record."
        rows={2}
        placeholder="example.com"
        {...form.field('domains')}
      />
      <SelectField label="Level of new members" options={GRANTED} {...form.field('default_level')} />
      <TextField
        label="Claim with another level"
        hint="Optional, such as groups. Its values give new members a level."
        {...form.field('level_claim')}
      />
      {levels.map(([value, level], at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no id, and values change while one types
        <div key={at} className="row">
          <Input
            aria-label={`Value ${at + 1} of the claim`}
            value={value}
            onChange={(event) => setLevel(at, [event.target.value, level])}
          />
          <Select
            label={`Level of value ${at + 1}`}
            value={level}
            options={GRANTED}
            onChange={(chosen) => setLevel(at, [value, chosen])}
          />
          <IconButton
            label={`Remove value ${at + 1}`}
            isSmall
            onClick={() => form.set({ levels: levels.toSpliced(at, 1) })}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      {claim.trim() !== '' && (
        <div>
          <Button isSmall onClick={() => form.set({ levels: [...levels, ['', '8']] })}>
            Add a value
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

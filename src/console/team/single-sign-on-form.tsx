// Shows the provider of single sign-on, its domains and the levels that it gives.
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import type { GrantedLevel, SingleSignOn, SingleSignOnBody } from '../api/single-sign-on'
import { Button, IconButton } from '../design/button'
import { AreaField, Input, Select, SelectField, TextField } from '../design/fields/field'
import { FormDialog } from '../design/popups/dialog'
import { CodeBlock } from '../design/small'
import { ADMIN, levelOptions } from './levels'

interface Props {
  settings: SingleSignOn
  save(body: SingleSignOnBody): Promise<SingleSignOn>
  onSaved(saved: SingleSignOn): void
  onClose(): void
}

/** A provider gives no ownership. */
const GRANTED = levelOptions(ADMIN)

const levelIn = (text: string) => Number(text) as GrantedLevel

const FIELDS = ['issuer', 'client_id', 'client_secret', 'domains', 'level_claim'] as const

export function SingleSignOnForm({ settings, save, onSaved, onClose }: Props) {
  const [issuer, setIssuer] = useState(settings.issuer ?? '')
  const [clientId, setClientId] = useState(settings.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [domains, setDomains] = useState(settings.domains.join('\n'))
  const [defaultLevel, setDefaultLevel] = useState(String(settings.default_level))
  const [claim, setClaim] = useState(settings.level_claim ?? '')
  const [levels, setLevels] = useState<readonly (readonly [value: string, level: string])[]>(
    Object.entries(settings.levels).map(([value, level]) => [value, String(level)]),
  )
  const mutation = useMutation({
    mutationFn: () =>
      save({
        issuer: issuer.trim(),
        client_id: clientId,
        ...(secret === '' ? {} : { client_secret: secret }),
        domains: domains.split(/[\s,]+/).filter(Boolean),
        default_level: levelIn(defaultLevel),
        level_claim: claim.trim() === '' ? null : claim.trim(),
        levels: Object.fromEntries(
          levels.filter(([value]) => value !== '').map(([value, level]) => [value, levelIn(level)]),
        ),
        is_enforced: settings.is_enforced,
      }),
    onSuccess: onSaved,
  })
  const { errorOf, otherError } = fieldErrors(mutation.error, FIELDS)
  const setLevel = (at: number, changed: readonly [string, string]) =>
    setLevels(levels.map((each, index) => (index === at ? changed : each)))
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
      onClose={onClose}
      isBusy={mutation.isPending}
      action="Save"
      error={otherError}
      onSubmit={() => mutation.mutate()}
    >
      <CodeBlock label="Redirect URI" code={settings.redirect_uri} />
      <TextField
        label="Issuer"
        error={errorOf('issuer')}
        type="url"
        placeholder="https://"
        value={issuer}
        onChange={setIssuer}
      />
      <TextField label="Client id" error={errorOf('client_id')} value={clientId} onChange={setClientId} />
      <TextField
        label="Client secret"
        hint={settings.issuer ? 'Leave empty to keep it.' : undefined}
        error={errorOf('client_secret')}
        type="password"
        autoComplete="new-password"
        value={secret}
        onChange={setSecret}
      />
      <AreaField
        label="Email domains"
        hint="One a line. Each has to be verified by a DNS record."
        error={errorOf('domains')}
        rows={2}
        placeholder="example.com"
        value={domains}
        onChange={setDomains}
      />
      <SelectField
        label="Level of new members"
        value={defaultLevel}
        options={GRANTED}
        onChange={setDefaultLevel}
      />
      <TextField
        label="Claim with another level"
        hint="Optional, such as groups. Its values give new members a level."
        error={errorOf('level_claim')}
        value={claim}
        onChange={setClaim}
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
            onClick={() => setLevels(levels.filter((_, index) => index !== at))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      {claim.trim() !== '' && (
        <div>
          <Button isSmall onClick={() => setLevels([...levels, ['', '8']])}>
            Add a value
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

// Sets up a second factor with an authenticator app, and shows its backup codes once.
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Problem } from '../api/problem'
import { ConfirmChange } from '../edit/confirm-change'
import { ME, sessionsQuery, twoFactorQuery } from '../api/account'
import { refresh } from '../api/queries'
import { client, read, post } from '../api/client'
import { Button, buttonClass } from '../design/button'
import { Card } from '../design/card'
import { Loading, Notice, ProblemNotice } from '../design/feedback'
import { TextField } from '../design/fields/field'
import { FormBody } from '../design/form-body'
import { useForm } from '../edit/use-form'
import { Badge, CopyButton } from '../design/small'
import { openDialog } from '../design/popups/opened'
import { say } from '../design/popups/toast'

/** @param isLocked whether the user can do nothing else before it is set up. */
export function TwoFactor({ isLocked }: { isLocked: boolean }) {
  const status = useQuery(twoFactorQuery)
  const [secret, setSecret] = useState<string | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const start = useMutation({
    mutationFn: () => read('/api/users/{uuid}/two_factor_start_setup/', ME),
    onSuccess: (begun) => setSecret(begun.secret),
  })
  const renew = useMutation({
    mutationFn: () => post('/api/users/{uuid}/two_factor_backup_codes/', ME),
    async onSuccess(made) {
      setCodes(made.backup_codes)
      await refresh(twoFactorQuery)
    },
  })
  const confirmed = async () => {
    setSecret(null)
    // The factor is on even if this fails, and its code is used.
    renew.mutate()
    await Promise.all([refresh(twoFactorQuery), refresh(sessionsQuery)])
    say('Two-factor authentication is on. All other browsers are signed out.')
  }
  const isOn = status.data?.is_enabled ?? false
  const failed = [start, renew].find(({ isError }) => isError)
  return (
    <Card
      id="two-factor"
      title="Two-factor authentication"
      hint="A code from your phone, on top of your password."
      action={status.data && <Badge tone={isOn ? 'good' : ''}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      {status.isPending && <Loading />}
      {status.isError && <ProblemNotice error={status.error} onRetry={() => void status.refetch()} />}
      {codes && <BackupCodes codes={codes} isLocked={isLocked} />}
      {secret !== null && <Setup secret={secret} onConfirmed={confirmed} onCancel={() => setSecret(null)} />}
      {failed && <ProblemNotice error={failed.error} />}
      {status.data && secret === null && (
        <div className="row wrap">
          <Button
            kind={isOn ? 'default' : 'primary'}
            isBusy={start.isPending}
            onClick={() => {
              setCodes(null)
              start.mutate()
            }}
          >
            {isOn ? 'Set up another app' : 'Set up'}
          </Button>
          {isOn && (
            <>
              <Button
                isBusy={renew.isPending}
                onClick={() =>
                  status.data.backup_codes_remaining > 0
                    ? openDialog(<Renew renew={() => renew.mutateAsync()} />)
                    : renew.mutate()
                }
              >
                New backup codes ({status.data.backup_codes_remaining} left)
              </Button>
              <Button className="danger" onClick={() => openDialog(<TurnOff />)}>
                Turn off…
              </Button>
            </>
          )}
        </div>
      )}
    </Card>
  )
}

interface SetupProps {
  secret: string
  onConfirmed(): Promise<void>
  onCancel(): void
}

function Setup({ secret, onConfirmed, onCancel }: SetupProps) {
  const form = useForm(
    { token: '' },
    (body) => client.POST('/api/users/{uuid}/two_factor_validate/', { params: ME, body }),
    onConfirmed,
  )
  const isWrong = form.error instanceof Problem && form.error.code === 'token_invalid'
  const code = form.field('token')
  return (
    <div className="setup">
      <img
        // Each secret has an image of its own.
        key={secret}
        src="/api/users/@me/two_factor_qr/"
        alt="QR code for your authenticator app"
      />
      <div className="stack">
        <div>
          <p>Scan the code with your authenticator app, or type this key into it:</p>
          <code className="secret">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
        <FormBody
          action="Turn on"
          disabled={code.value.trim() === ''}
          beside={<Button onClick={onCancel}>Cancel</Button>}
          {...form.props}
          error={isWrong ? null : form.props.error}
        >
          <TextField
            label="Code that the app shows"
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            {...code}
            error={isWrong ? 'This is not the code that the app shows now.' : code.error}
          />
        </FormBody>
      </div>
    </div>
  )
}

const route = getRouteApi('/settings')

function BackupCodes({ codes, isLocked }: { codes: readonly string[]; isLocked: boolean }) {
  const { next } = route.useSearch()
  return (
    <Notice tone="warn">
      <div className="stack">
        <div className="row wrap">
          <strong>Keep these backup codes somewhere safe. They are not shown again.</strong>
          <CopyButton text={codes.join('\n')} label="Copy the codes" />
        </div>
        <ul className="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <span className="small">
          Each one signs you in once, when your phone is not at hand. Earlier codes do not work any more.
        </span>
        {isLocked && (
          <div>
            {/* The page is loaded again, now that its requests are allowed. */}
            <a className={buttonClass({ kind: 'primary' })} href={next ?? '/'}>
              {next === undefined ? 'Go to the console' : 'Continue where you were'}
            </a>
          </div>
        )}
      </div>
    </Notice>
  )
}

const Renew = ({ renew }: { renew(): Promise<unknown> }) => (
  <ConfirmChange title="Replace the backup codes?" action="Replace" change={renew}>
    Earlier codes stop working at once, also printed ones.
  </ConfirmChange>
)

const TurnOff = () => (
  <ConfirmChange
    title="Turn two-factor authentication off?"
    action="Turn off"
    change={async () => {
      await client.POST('/api/users/{uuid}/two_factor_disable/', { params: ME })
      await refresh(twoFactorQuery)
      say('Two-factor authentication is off.')
    }}
  >
    Your password alone opens the account then.
  </ConfirmChange>
)

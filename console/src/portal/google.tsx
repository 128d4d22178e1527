import { Alert, Button, Stack, TagsInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import type { PortalDirectory, PortalState } from './api.ts'
import { call } from './api.ts'
import { keepSetup } from './notice.tsx'
import { useTexts } from './texts/use-texts.tsx'

interface GoogleConnectionProps {
  readonly google: NonNullable<PortalDirectory['google']>
  readonly product: string
  readonly onChange: (after: PortalState) => void
}

/** Shows whether Google Workspace is connected, and the way to its consent. */
export function GoogleConnection({ google, product, onChange }: GoogleConnectionProps) {
  const { texts } = useTexts()
  const present: Choice = { groups: google.groups, units: google.org_units }
  const [choice, setChoice] = useState(present)
  const isChanged = JSON.stringify(choice) !== JSON.stringify(present)
  const saving = useMutation({
    mutationFn: () =>
      call<PortalState>('PUT', '/directory/google-scope', {
        extdir_groups: choice.groups,
        extdir_org_units: choice.units,
      }),
    onSuccess(after) {
      const saved = after.directory?.google
      if (saved) setChoice({ groups: saved.groups, units: saved.org_units })
      onChange(after)
    },
  })
  const connection = useMutation({
    // Google refuses to be shown in a frame.
    async mutationFn(_tab: Window | null) {
      if (isChanged) await saving.mutateAsync()
      return call<{ readonly url: string }>('POST', '/authorization-url')
    },
    onSuccess({ url }, tab) {
      keepSetup()
      const place = tab ?? window
      place.location.assign(url)
    },
    onError: (_error, tab) => tab?.close(),
  })
  const { status, can_connect: canConnect, error, pending_reason: pending, is_scheduled: repeats } = google
  return (
    <Stack align="flex-start" gap="sm">
      {pending === null ? null : <Alert color="yellow">{texts.google.pending(pending)}</Alert>}
      {status === 'authorized' ? (
        <Alert color="teal" icon={<Icon name="check" size={18} />}>
          {texts.google.connected}
        </Alert>
      ) : null}
      <ScopeChoice choice={choice} setChoice={setChoice} isChanged={isChanged} saving={saving} />
      <Text size="sm">{repeats ? texts.google.repeats : texts.google.notScheduled(product)}</Text>
      {status === 'needs_authorization' ? <Alert color="red">{texts.google.again(error ?? '')}</Alert> : null}
      {connection.error === null || saving.error !== null ? null : (
        <Alert color="red">{connection.error.message}</Alert>
      )}
      {canConnect ? (
        <Button
          loading={connection.isPending}
          variant={status === 'authorized' ? 'default' : 'filled'}
          onClick={() => connection.mutate(window.top === window ? null : window.open('about:blank'))}
        >
          {status === 'none' ? texts.google.connect : texts.google.reconnect}
        </Button>
      ) : null}
      {canConnect || status === 'authorized' ? null : (
        <Alert color="yellow" icon={<Icon name="warning" size={18} />}>
          {texts.google.notConfigured(product)}
        </Alert>
      )}
    </Stack>
  )
}

type Choice = Readonly<Record<'groups' | 'units', readonly string[]>>

interface ScopeChoiceProps {
  readonly choice: Choice
  readonly setChoice: (choice: Choice) => void
  readonly isChanged: boolean
  readonly saving: { readonly error: Error | null; readonly isPending: boolean; readonly mutate: () => void }
}

/** The groups and organizational units to sync, which are best chosen before the consent starts the first sync. */
function ScopeChoice({ choice, setChoice, isChanged, saving }: ScopeChoiceProps) {
  const { texts } = useTexts()
  return (
    <Stack align="flex-start" gap="xs" w="100%">
      <Text size="sm">{texts.google.scope}</Text>
      <TagsInput
        label={texts.google.groups}
        placeholder="sales@example.com"
        value={[...choice.groups]}
        onChange={(groups) => setChoice({ ...choice, groups })}
        acceptValueOnBlur
        w="100%"
      />
      <TagsInput
        label={texts.google.units}
        placeholder="/Sales/Europe"
        value={[...choice.units]}
        onChange={(units) => setChoice({ ...choice, units })}
        acceptValueOnBlur
        splitChars={[]}
        w="100%"
      />
      {saving.error === null ? null : <Alert color="red">{saving.error.message}</Alert>}
      <Button variant="default" disabled={!isChanged} loading={saving.isPending} onClick={() => saving.mutate()}>
        {texts.google.saveScope}
      </Button>
    </Stack>
  )
}

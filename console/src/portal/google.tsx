import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Icon } from '../ui/icons.tsx'
import type { PortalDirectory } from './api.ts'
import { call } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

interface GoogleConnectionProps {
  readonly google: NonNullable<PortalDirectory['google']>
  readonly product: string
}

/** Whether Google Workspace is connected, and the way to its consent. */
export function GoogleConnection({ google, product }: GoogleConnectionProps) {
  const { texts } = useTexts()
  const connection = useMutation({
    mutationFn: () => call<{ readonly url: string }>('POST', '/authorization-url'),
    onSuccess: ({ url }) => location.assign(url),
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
      <Text size="sm">{repeats ? texts.google.repeats : texts.google.notScheduled(product)}</Text>
      {status === 'needs_authorization' ? <Alert color="red">{texts.google.again(error ?? '')}</Alert> : null}
      {connection.error === null ? null : <Alert color="red">{connection.error.message}</Alert>}
      {canConnect ? (
        <Button
          loading={connection.isPending}
          variant={status === 'authorized' ? 'default' : 'filled'}
          onClick={() => connection.mutate()}
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

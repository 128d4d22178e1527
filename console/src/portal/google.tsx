import { Alert, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Icon } from '../ui/icons.tsx'
import type { PortalDirectory } from './api.ts'
import { call } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

/** Whether Google Workspace is connected, and the way to its consent. */
export function GoogleConnection({ google }: { readonly google: NonNullable<PortalDirectory['google']> }) {
  const { texts } = useTexts()
  const connection = useMutation({
    mutationFn: () => call<{ readonly url: string }>('POST', '/authorization-url'),
    onSuccess: ({ url }) => location.assign(url),
  })
  const { status, error, pending_reason: pending } = google
  return (
    <Stack align="flex-start" gap="sm">
      {pending === null ? null : <Alert color="yellow">{texts.google.pending(pending)}</Alert>}
      {status === 'authorized' ? (
        <Alert color="teal" icon={<Icon name="check" size={18} />}>
          {texts.google.connected}
        </Alert>
      ) : null}
      {status === 'needs_authorization' ? <Alert color="red">{texts.google.again(error ?? '')}</Alert> : null}
      {connection.error === null ? null : <Alert color="red">{connection.error.message}</Alert>}
      <Button
        loading={connection.isPending}
        variant={status === 'authorized' ? 'default' : 'filled'}
        onClick={() => connection.mutate()}
      >
        {status === 'none' ? texts.google.connect : texts.google.reconnect}
      </Button>
    </Stack>
  )
}

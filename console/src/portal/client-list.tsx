import { Alert, Button, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { relativeTime } from '../ui/times.ts'
import type { PortalOAuthClient, PortalState } from './api.ts'
import { call } from './api.ts'
import { useTexts } from './texts/use-texts.tsx'

interface ClientListProps {
  readonly clients: readonly PortalOAuthClient[]
  readonly onChange: (after: PortalState) => void
}

/** The OAuth clients of the connection, each of which can be deleted. */
export function ClientList({ clients, onChange }: ClientListProps) {
  const { texts } = useTexts()
  const [removed, setRemoved] = useState<string>()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="clients">
      <Title order={3} id="clients" mb="sm">
        {texts.signIn.clients}
      </Title>
      <ul className="portal-clients">
        {clients.map((client) => (
          <Client key={client.client_id} client={client} onRemove={() => setRemoved(client.client_id)} />
        ))}
      </ul>
      {removed === undefined ? null : (
        <RemovalDialog clientId={removed} onChange={onChange} onClose={() => setRemoved(undefined)} />
      )}
    </Paper>
  )
}

function Client({ client, onRemove }: { readonly client: PortalOAuthClient; readonly onRemove: () => void }) {
  const { texts, language } = useTexts()
  const { client_id: id, expires_at: expiresAt, last_used_at: usedAt } = client
  const facts = [usedAt === null ? texts.signIn.unused : texts.signIn.used(relativeTime(usedAt, language))]
  if (expiresAt !== null) {
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(expiresAt))
    facts.push(new Date(expiresAt) > new Date() ? texts.signIn.expires(date) : texts.signIn.expired(date))
  }
  return (
    <li>
      <div>
        <code>{id}</code>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </div>
      <Button size="xs" variant="default" aria-label={texts.signIn.remove(id)} onClick={onRemove}>
        {texts.signIn.removeShort}
      </Button>
    </li>
  )
}

interface RemovalProps {
  readonly clientId: string
  readonly onChange: (after: PortalState) => void
  readonly onClose: () => void
}

/** Asks whether to delete a client. */
function RemovalDialog({ clientId, onChange, onClose }: RemovalProps) {
  const { texts } = useTexts()
  const removal = useMutation({
    mutationFn: () => call<PortalState>('DELETE', `/directory/oauth-clients/${encodeURIComponent(clientId)}`),
    onSuccess: (after) => {
      onChange(after)
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.signIn.removeTitle}
      centered
      closeButtonProps={{ 'aria-label': texts.choose.cancel }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <Stack gap="sm">
        <code className="portal-value">{clientId}</code>
        <Text size="sm">{texts.signIn.removeText}</Text>
        {removal.error === null ? null : <Alert color="red">{removal.error.message}</Alert>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {texts.choose.cancel}
          </Button>
          <Button color="red" loading={removal.isPending} onClick={() => removal.mutate()}>
            {texts.signIn.removeShort}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

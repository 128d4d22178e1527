import { Button, Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { relativeTime } from '../ui/times.ts'
import type { PortalOAuthClient, PortalState } from './api.ts'
import { call } from './api.ts'
import { ConfirmationDialog } from './confirmation.tsx'
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
        <ConfirmationDialog
          title={texts.signIn.removeTitle}
          confirm={texts.signIn.removeShort}
          isDestructive
          action={() => call<PortalState>('DELETE', `/directory/oauth-clients/${encodeURIComponent(removed)}`)}
          onChange={onChange}
          onClose={() => setRemoved(undefined)}
        >
          <code className="portal-value">{removed}</code>
          <Text size="sm">{texts.signIn.removeText}</Text>
        </ConfirmationDialog>
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

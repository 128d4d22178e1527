import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/http.ts'
import { Icon } from '../ui/icons.tsx'
import type { PortalDirectory, PortalOAuth, PortalOAuthClient, PortalState } from './api.ts'
import { call } from './api.ts'
import { ClientList } from './client-list.tsx'
import type { Guide } from './guide.ts'
import { endpointFor } from './guide.ts'
import { forgetClientSecret, keptClientSecret } from './kept-secret.ts'
import { labelIn } from './labels.ts'
import type { PastedField } from './pasted.ts'
import { pastedFields, pastedNames } from './pasted.ts'
import { useTexts } from './texts/use-texts.tsx'
import { CopyValue } from './values.tsx'

interface OAuthValuesProps {
  readonly type: PortalOAuthClient['type']
  readonly guide: Guide
  readonly directory: PortalDirectory
  readonly oauth: PortalOAuth
  readonly onChange: (after: PortalState) => void
}

/** The values to enter at the identity provider for OAuth 2.0, and those of the provider that are needed here. */
export function OAuthValues({ type, guide, directory, oauth, onChange }: OAuthValuesProps) {
  const { texts } = useTexts()
  const clients = oauth.clients.filter((client) => client.type === type)
  const [newest] = clients
  const endpoint = endpointFor(guide.endpoint ?? 'endpoint', directory.scim_endpoint ?? '')
  return (
    <>
      {type === 'federated' ? <PastedValues hasClient={newest !== undefined} onChange={onChange} /> : null}
      <Paper withBorder p="md" component="section" aria-labelledby="values">
        <Title order={3} id="values" mb="sm">
          {texts.values.heading}
        </Title>
        <Stack gap="sm">
          <CopyValue label={labelIn(guide, 'Tenant URL', texts)} value={endpoint} />
          <CopyValue label={labelIn(guide, 'Token endpoint', texts)} value={oauth.token_endpoint} />
          {newest === undefined ? null : (
            <CopyValue label={labelIn(guide, 'Client identifier', texts)} value={newest.client_id} />
          )}
          {type === 'secret' ? <ClientSecret guide={guide} client={newest} onChange={onChange} /> : null}
        </Stack>
      </Paper>
      {clients.length === 0 ? null : <ClientList clients={clients} onChange={onChange} />}
    </>
  )
}

interface ClientSecretProps {
  readonly guide: Guide
  readonly client: PortalOAuthClient | undefined
  readonly onChange: (after: PortalState) => void
}

/** The secret of the newest client until the administrator has stored it, and a button that creates one. */
function ClientSecret({ guide, client, onChange }: ClientSecretProps) {
  const { texts } = useTexts()
  const [storedId, setStoredId] = useState<string>()
  const secret = client?.client_id === storedId ? null : keptClientSecret(client?.client_id)
  const creation = useMutation({
    mutationFn: () => call<PortalState>('POST', '/directory/oauth-clients', { type: 'secret' }),
    onSuccess: onChange,
  })
  const onStored = () => {
    forgetClientSecret()
    setStoredId(client?.client_id)
  }
  return (
    <>
      {secret === null ? (
        <Text size="sm">{client === undefined ? texts.signIn.noSecret : texts.signIn.hidden}</Text>
      ) : (
        <>
          <CopyValue label={labelIn(guide, 'Client secret', texts)} value={secret} />
          <Alert color="yellow" py="xs" icon={<Icon name="warning" size={18} />}>
            {texts.signIn.shownOnce}
          </Alert>
        </>
      )}
      {creation.error === null ? null : <Alert color="red">{creation.error.message}</Alert>}
      <Group gap="xs">
        {secret === null ? null : (
          <Button size="xs" leftSection={<Icon name="check" />} onClick={onStored}>
            {texts.signIn.done}
          </Button>
        )}
        <Button
          size="xs"
          variant={client === undefined ? 'filled' : 'default'}
          loading={creation.isPending}
          onClick={() => creation.mutate()}
        >
          {client === undefined ? texts.signIn.create : texts.signIn.createAnother}
        </Button>
      </Group>
    </>
  )
}

interface PastedValuesProps {
  readonly hasClient: boolean
  readonly onChange: (after: PortalState) => void
}

/** The values of a workload identity, closed once there is one. */
function PastedValues({ hasClient, onChange }: PastedValuesProps) {
  const { texts } = useTexts()
  const [isOpen, setOpen] = useState(false)
  if (hasClient && !isOpen) {
    return (
      <Button size="xs" variant="default" className="portal-start" onClick={() => setOpen(true)}>
        {texts.signIn.connectAnother}
      </Button>
    )
  }
  const saved = (after: PortalState) => {
    setOpen(false)
    onChange(after)
  }
  return <PastedForm onChange={saved} />
}

type Pasted = Readonly<Record<PastedField, string>>

function PastedForm({ onChange }: { readonly onChange: (after: PortalState) => void }) {
  const { texts } = useTexts()
  const [pasted, setPasted] = useState<Pasted>({ issuer: '', jwks_url: '', subject: '', audience: '' })
  const saving = useMutation({
    mutationFn: () => call<PortalState>('POST', '/directory/oauth-clients', { type: 'federated', ...pasted }),
    onSuccess: onChange,
  })
  const wrong = problemFields(saving.error)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="pasted">
      <Title order={3} id="pasted" mb={4}>
        {texts.signIn.paste}
      </Title>
      <Text size="sm" mb="sm">
        {texts.signIn.pasteText}
      </Text>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <Stack gap="sm">
          {pastedNames.map((field) => (
            <TextInput
              key={field}
              label={pastedFields[field].label}
              placeholder={pastedFields[field].example}
              value={pasted[field]}
              onChange={({ currentTarget: { value } }) => setPasted((before) => ({ ...before, [field]: value }))}
              error={wrong.includes(field) ? texts.signIn.problems[field] : null}
              required
              spellCheck={false}
              autoComplete="off"
            />
          ))}
          {saving.error === null || wrong.length > 0 ? null : <Alert color="red">{saving.error.message}</Alert>}
          <Button type="submit" size="xs" className="portal-start" loading={saving.isPending}>
            {texts.signIn.connect}
          </Button>
        </Stack>
      </form>
    </Paper>
  )
}

/** The fields that the service did not accept. */
function problemFields(error: Error | null): string[] {
  return error instanceof ApiError ? error.problems.map(({ field }) => field) : []
}

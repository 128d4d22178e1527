import { Alert, Button, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { dsync, send, useAction, useData } from '../../../api/queries.ts'
import type { Directory, OAuthClient } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import { Dialog, DialogEnd, DialogForm } from '../../../ui/dialog.tsx'
import { useFields } from '../../../ui/fields.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Empty, Failure, Loaded } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'

const tokenPath = '/api/scim/oauth/token'

const useClientsPath = () => `${useDirectoryPath()}/oauth-clients`

/** How the identity provider signs in: the OAuth clients of the directory, and whether its token is accepted as well. */
export function OAuthClientsPage() {
  return (
    <Stack gap="lg">
      <ClientsSection />
      <TokenSection />
    </Stack>
  )
}

function ClientsSection() {
  const texts = useTexts()
  const clients = useData<readonly OAuthClient[]>(useClientsPath())
  const mayWrite = useMayWrite()
  const [opened, { open, close }] = useDisclosure(false)
  const columns = [
    { title: texts.clients.name, cell: ({ name, client_id }: OAuthClient) => name ?? client_id },
    { title: texts.clients.id, cell: ({ client_id }: OAuthClient) => <code>{client_id}</code> },
    { title: texts.clients.type, cell: ({ type }: OAuthClient) => texts.clients.types[type] },
    {
      title: texts.clients.created,
      cell: ({ created_at }: OAuthClient) => <Time at={created_at} />,
      isSecondary: true,
    },
    { title: texts.clients.expires, cell: ({ expires_at }: OAuthClient) => <Time at={expires_at} /> },
    { title: texts.clients.lastUsed, cell: ({ last_used_at }: OAuthClient) => <Time at={last_used_at} /> },
    ...(mayWrite
      ? [{ title: texts.clients.delete, cell: (client: OAuthClient) => <DeleteClient client={client} /> }]
      : []),
  ]
  return (
    <Section
      title={texts.clients.title}
      description={texts.clients.description}
      actions={
        mayWrite ? (
          <Button size="xs" leftSection={<Icon name="plus" />} onClick={open}>
            {texts.clients.create}
          </Button>
        ) : null
      }
    >
      <Loaded query={clients}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="key" title={texts.clients.empty} text={texts.clients.emptyText} />
          ) : (
            <DataTable
              label={texts.clients.title}
              rows={found}
              keyOf={({ client_id }) => client_id}
              columns={columns}
            />
          )
        }
      </Loaded>
      <Dialog opened={opened} onClose={close} title={texts.clients.create}>
        {opened ? <CreateClient close={close} /> : null}
      </Dialog>
    </Section>
  )
}

function DeleteClient({ client: { client_id, name } }: { readonly client: OAuthClient }) {
  const texts = useTexts()
  const path = useClientsPath()
  const remove = useAction(() => send('DELETE', `${path}/${client_id}`), [path])
  return (
    <Confirm
      label={texts.clients.delete}
      icon="trash"
      title={texts.clients.deleteTitle(name ?? client_id)}
      consequences={texts.clients.deleteText}
      dangerous
      act={() => remove.mutateAsync(undefined)}
    />
  )
}

function CreateClient({ close }: { readonly close: () => void }) {
  const texts = useTexts()
  const path = useClientsPath()
  const [type, setType] = useState('secret')
  const [days, setDays] = useState('730')
  const create = useAction((input: object) => send<OAuthClient>('POST', path, input), [path])
  const fields = useFields({ name: '', issuer: '', subject: '', audience: '', jwks_url: '' }, create.error)
  const { filled, field } = fields
  const isFederated = type === 'federated'
  const submit = () => {
    const { name } = filled
    const secret = { ...(name === undefined ? {} : { name }), expires_in_days: Number(days) }
    create.mutate({ type, ...(isFederated ? filled : secret) })
  }
  if (create.data !== undefined) return <NewClient client={create.data} close={close} />
  const choice = (value: string, set: (value: string) => void, labels: Readonly<Record<string, string>>) => ({
    value,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
    data: Object.entries(labels).map(([one, label]) => ({ value: one, label })),
  })
  return (
    <DialogForm
      label={texts.forms.create}
      isPending={create.isPending}
      error={create.error}
      fields={fields.names}
      submit={submit}
      close={close}
    >
      <NativeSelect label={texts.clients.type} {...choice(type, setType, texts.clients.types)} />
      <TextInput label={`${texts.clients.name} (${texts.forms.optional})`} {...field('name')} />
      {isFederated ? (
        <>
          <TextInput label={texts.clients.issuer} required {...field('issuer')} />
          <TextInput label={texts.clients.subject} required {...field('subject')} />
          <TextInput label={texts.clients.audience} required {...field('audience')} />
          <TextInput label={`${texts.clients.jwksUrl} (${texts.forms.optional})`} {...field('jwks_url')} />
        </>
      ) : (
        <NativeSelect label={texts.clients.expiry} {...choice(days, setDays, texts.clients.expiries)} />
      )}
    </DialogForm>
  )
}

interface NewClientProps {
  readonly client: OAuthClient
  readonly close: () => void
}

/** The values that the administrator enters in the identity provider. */
function NewClient({ client: { client_id, client_secret }, close }: NewClientProps) {
  const texts = useTexts()
  const { scim } = useDirectory()
  const tokenUrl = scim.endpoint.replace(scim.path, tokenPath)
  return (
    <Stack gap="md">
      {client_secret === undefined ? null : (
        <Alert color="teal" icon={<Icon name="key" />} title={texts.clients.createdTitle}>
          {texts.clients.createdText}
        </Alert>
      )}
      <Facts wide>
        <Fact name={texts.clients.id}>
          <Value name={texts.clients.id} value={client_id} />
        </Fact>
        {client_secret === undefined ? null : (
          <Fact name={texts.clients.secret}>
            <Value name={texts.clients.secret} value={client_secret} />
          </Fact>
        )}
        <Fact name={texts.clients.tokenUrl}>
          <Value name={texts.clients.tokenUrl} value={tokenUrl} />
        </Fact>
        <Fact name={texts.settings.url}>
          <Value name={texts.settings.url} value={scim.endpoint} />
        </Fact>
      </Facts>
      <DialogEnd close={close} />
    </Stack>
  )
}

function TokenSection() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const mayWrite = useMayWrite()
  const { scim_auth: accepted } = useDirectory()
  const update = useAction((fields: object) => send<Directory>('PATCH', path, fields), [dsync])
  const save = async (isRefused: boolean) => {
    const saved = await update.mutateAsync({ scim_auth: isRefused ? 'oauth' : 'any' }).catch(() => undefined)
    if (saved !== undefined) notifications.show({ message: texts.forms.saved, color: 'teal' })
  }
  return (
    <Section title={texts.clients.token}>
      <Stack gap="md">
        <Switch
          label={texts.clients.refuseToken}
          description={texts.clients.refuseTokenText}
          checked={accepted === 'oauth'}
          disabled={!mayWrite || update.isPending}
          onChange={(event) => void save(event.currentTarget.checked)}
        />
        {update.error === null ? null : <Failure error={update.error} />}
      </Stack>
    </Section>
  )
}

import { Alert, Button, Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { dsync, send, useAction, useData } from '../../../api/queries.ts'
import type { Directory, OAuthClient } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
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

const federatedFields = ['issuer', 'subject', 'audience', 'jwks_url'] as const
const emptyValues = { name: '', type: 'secret', days: '730', issuer: '', subject: '', audience: '', jwks_url: '' }

function CreateClient({ close }: { readonly close: () => void }) {
  const texts = useTexts()
  const path = useClientsPath()
  const [values, setValues] = useState(emptyValues)
  const create = useAction((input: object) => send<OAuthClient>('POST', path, input), [path])
  const isFederated = values.type === 'federated'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { type, name, days } = values
    const given = federatedFields.filter((field) => values[field].trim() !== '')
    const federated = Object.fromEntries(given.map((field) => [field, values[field].trim()]))
    create.mutate({
      ...{ type, ...(name.trim() && { name: name.trim() }) },
      ...(isFederated ? federated : { expires_in_days: Number(days) }),
    })
  }
  if (create.data !== undefined) return <NewClient client={create.data} close={close} />
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  const options = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }))
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect label={texts.clients.type} data={options(texts.clients.types)} {...field('type')} />
        <TextInput label={`${texts.clients.name} (${texts.forms.optional})`} autoComplete="off" {...field('name')} />
        {isFederated ? (
          <>
            <TextInput label={texts.clients.issuer} required autoComplete="off" {...field('issuer')} />
            <TextInput label={texts.clients.subject} required autoComplete="off" {...field('subject')} />
            <TextInput label={texts.clients.audience} required autoComplete="off" {...field('audience')} />
            <TextInput
              label={`${texts.clients.jwksUrl} (${texts.forms.optional})`}
              autoComplete="off"
              {...field('jwks_url')}
            />
          </>
        ) : (
          <NativeSelect label={texts.clients.expiry} data={options(texts.clients.expiries)} {...field('days')} />
        )}
        {create.error === null ? null : <Failure error={create.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {texts.forms.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {texts.forms.create}
          </Button>
        </Group>
      </Stack>
    </form>
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
      <Group justify="flex-end">
        <Button onClick={close}>{texts.forms.close}</Button>
      </Group>
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

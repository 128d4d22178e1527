import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { adminApi, send, useAction, useRows } from '../../api/queries.ts'
import type { ApiKey } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Value } from '../../ui/copy.tsx'
import { Dialog, DialogEnd, DialogForm } from '../../ui/dialog.tsx'
import { useFields } from '../../ui/fields.ts'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { PageHeader } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AdminOnly } from '../admin-only.tsx'

const path = `${adminApi}/apikey`

/** The API keys that admins have created. */
export function KeysPage() {
  const texts = useTexts()
  return (
    <>
      <PageHeader title={texts.keys.title} description={texts.keys.description} />
      <AdminOnly>
        <Keys />
      </AdminOnly>
    </>
  )
}

function Keys() {
  const texts = useTexts()
  const keys = useRows<ApiKey>(path)
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Group justify="flex-end" mb="md">
        <Button size="sm" leftSection={<Icon name="plus" />} onClick={open}>
          {texts.keys.create}
        </Button>
      </Group>
      <PagedTable
        label={texts.keys.title}
        query={keys}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.keys.name, cell: ({ name }) => <Name>{name}</Name> },
          { title: texts.keys.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
          { title: texts.keys.scope, cell: ({ scope }) => <Scope scope={scope} /> },
          { title: texts.keys.created, cell: ({ created_at }) => <Time at={created_at} /> },
          { title: texts.keys.expires, cell: ({ expires_at }) => <Time at={expires_at} /> },
          { title: texts.keys.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          { title: texts.keys.delete, cell: (key) => <DeleteKey apiKey={key} /> },
        ]}
        empty={<Empty icon="key" title={texts.keys.empty} text={texts.keys.emptyText} />}
      />
      <Dialog opened={opened} onClose={close} title={texts.keys.create}>
        {opened ? <CreateKey close={close} /> : null}
      </Dialog>
    </>
  )
}

function Scope({ scope: { tenant, product, readOnly } }: Pick<ApiKey, 'scope'>) {
  const { shell } = useTexts()
  const parts = [
    tenant === null && product === null ? shell.everything : undefined,
    tenant === null ? undefined : shell.tenant(isolated(tenant)),
    product === null ? undefined : shell.product(isolated(product)),
    readOnly ? shell.readOnly : undefined,
  ]
  return <>{parts.filter((part) => part !== undefined).join(', ')}</>
}

function DeleteKey({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const texts = useTexts()
  const remove = useAction(() => send('DELETE', `${path}/${id}`), [path])
  return (
    <Confirm
      label={texts.keys.delete}
      icon="trash"
      title={texts.keys.deleteTitle(isolated(name))}
      consequences={texts.keys.deleteText}
      dangerous
      act={() => remove.mutateAsync(undefined)}
    />
  )
}

const dayMs = 86_400_000

function CreateKey({ close }: { readonly close: () => void }) {
  const texts = useTexts()
  const [days, setDays] = useState('')
  const [readOnly, setReadOnly] = useState(false)
  const create = useAction((input: object) => send<ApiKey>('POST', path, input), [path])
  const { filled, field } = useFields({ name: '', tenant: '', product: '' }, create.error)
  const submit = () => {
    const { name, ...scope } = filled
    const expiresAt = days === '' ? null : Date.now() + Number(days) * dayMs
    create.mutate({ name, scope: { ...scope, readOnly }, expires_at: expiresAt })
  }
  if (create.data?.key !== undefined) {
    return (
      <Stack gap="md">
        <Alert color="teal" icon={<Icon name="key" />} title={texts.keys.createdTitle}>
          {texts.keys.createdText}
        </Alert>
        <Value name={texts.signIn.key} value={create.data.key} />
        <DialogEnd close={close} />
      </Stack>
    )
  }
  return (
    <DialogForm
      label={texts.forms.create}
      isPending={create.isPending}
      error={create.error}
      fields={['name']}
      submit={submit}
      close={close}
    >
      <TextInput label={texts.keys.name} required data-autofocus {...field('name')} />
      <TextInput label={`${texts.keys.tenant} (${texts.forms.optional})`} {...field('tenant')} />
      <TextInput label={`${texts.keys.product} (${texts.forms.optional})`} {...field('product')} />
      <NativeSelect
        label={texts.keys.expiry}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        data={Object.entries(texts.keys.expiries)
          .toSorted(([a], [b]) => Number(a) - Number(b))
          .map(([value, label]) => ({ value, label }))}
      />
      <Checkbox
        label={texts.keys.readOnly}
        checked={readOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
    </DialogForm>
  )
}

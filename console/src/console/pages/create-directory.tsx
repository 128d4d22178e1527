import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dsync, send, useAction, useData } from '../../api/queries.ts'
import type { Directory } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Failure } from '../../ui/states.tsx'
import { useSession } from '../session.tsx'

interface CreateDirectoryProps {
  readonly opened: boolean
  readonly close: () => void
}

/** Asks for what a new directory needs and creates it. */
export function CreateDirectory({ opened, close }: CreateDirectoryProps) {
  const texts = useTexts()
  return (
    <Modal opened={opened} onClose={close} title={texts.directories.createTitle} size="lg">
      {opened ? <Form close={close} /> : null}
    </Modal>
  )
}

const fields = ['tenant', 'product', 'name', 'webhook_url'] as const

function Form({ close }: { readonly close: () => void }) {
  const texts = useTexts()
  const navigate = useNavigate()
  const { scope } = useSession()
  const providers = useData<Readonly<Record<string, string>>>(`${dsync}/providers`)
  const [type, setType] = useState('okta-scim-v2')
  const [values, setValues] = useState({
    tenant: scope.tenant ?? '',
    product: scope.product ?? '',
    name: '',
    webhook_url: '',
  })
  const create = useAction((input: object) => send<Directory>('POST', dsync, input), [dsync])
  const problem = (field: string) => create.error?.problems.find((one) => one.field === field)?.message

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const filled = fields.flatMap((field) => (values[field].trim() === '' ? [] : [[field, values[field].trim()]]))
    const directory = await create.mutateAsync({ ...Object.fromEntries(filled), type }).catch(() => undefined)
    if (directory === undefined) return
    notifications.show({ message: texts.directories.created(directory.name), color: 'teal' })
    close()
    await navigate(`/directories/${directory.id}/settings`)
  }
  const field = (name: (typeof fields)[number]) => ({
    value: values[name],
    error: problem(name),
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    autoComplete: 'off',
  })
  const isUnnamed = create.error !== null && create.error.problems.length === 0

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          label={texts.directories.tenant}
          description={texts.directories.tenantHint}
          required
          data-autofocus
          readOnly={scope.tenant !== null}
          {...field('tenant')}
        />
        <TextInput
          label={texts.directories.product}
          description={texts.directories.productHint}
          required
          readOnly={scope.product !== null}
          {...field('product')}
        />
        <NativeSelect
          label={texts.directories.type}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
          data={Object.entries(providers.data ?? {}).map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          label={`${texts.directories.name} (${texts.forms.optional})`}
          description={texts.directories.nameHint}
          {...field('name')}
        />
        <TextInput
          type="url"
          label={`${texts.directories.endpoint} (${texts.forms.optional})`}
          description={texts.directories.endpointHint}
          placeholder="https://"
          {...field('webhook_url')}
        />
        {isUnnamed && create.error !== null ? <Failure error={create.error} /> : null}
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

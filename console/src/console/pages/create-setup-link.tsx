import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useAction } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Failure } from '../../ui/states.tsx'
import { fullTime } from '../../ui/time.tsx'
import { createSetupLink, NewSetupLink, setupLinksPath } from '../new-setup-link.tsx'
import { useSession } from '../session.tsx'

interface CreateSetupLinkProps {
  readonly opened: boolean
  readonly close: () => void
}

/** Asks for whom a setup link is, and creates it. */
export function CreateSetupLink({ opened, close }: CreateSetupLinkProps) {
  const texts = useTexts()
  return (
    <Dialog opened={opened} onClose={close} title={texts.setupLinks.createTitle}>
      {opened ? <Form close={close} /> : null}
    </Dialog>
  )
}

const fields = ['tenant', 'product', 'name'] as const

function Form({ close }: { readonly close: () => void }) {
  const texts = useTexts()
  const { scope, setup_types: offered } = useSession()
  const [values, setValues] = useState({ tenant: scope.tenant ?? '', product: scope.product ?? '', name: '' })
  const [types, setTypes] = useState(offered.map(({ type }) => type))
  const [days, setDays] = useState('3')
  const create = useAction(createSetupLink, [setupLinksPath])
  const problem = (field: string) => create.error?.problems.find((one) => one.field === field)?.message
  const link = create.data?.link

  const submit = (regenerate: boolean) => {
    const filled = fields.flatMap((field) => (values[field].trim() === '' ? [] : [[field, values[field].trim()]]))
    const isAny = types.length === offered.length
    create.mutate({ ...Object.fromEntries(filled), ...(isAny ? {} : { types }), expiryDays: Number(days), regenerate })
  }
  const field = (name: (typeof fields)[number]) => ({
    value: values[name],
    error: problem(name),
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    autoComplete: 'off',
  })

  if (create.data !== undefined && link?.url) {
    return (
      <Stack gap="md">
        <NewSetupLink created={create.data} />
        <Group justify="flex-end">
          <Button onClick={close}>{texts.forms.close}</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit(false)
      }}
    >
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
        <TextInput
          label={`${texts.directories.name} (${texts.forms.optional})`}
          description={texts.setupLinks.nameHint}
          {...field('name')}
        />
        <Checkbox.Group
          label={texts.setupLinks.types}
          description={texts.setupLinks.typesHint}
          value={types}
          error={problem('types')}
          onChange={setTypes}
        >
          <Stack gap={6} mt="xs">
            {offered.map(({ type, label }) => (
              <Checkbox key={type} value={type} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label={texts.setupLinks.expiry}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={Object.entries(texts.setupLinks.expiries).map(([value, label]) => ({ value, label }))}
        />
        {create.error !== null && create.error.problems.length === 0 ? <Failure error={create.error} /> : null}
        {link === undefined ? null : (
          <Alert color="yellow" icon={<Icon name="warning" size={18} />}>
            <Stack gap="xs" align="flex-start">
              {texts.setupLinks.exists(fullTime(new Date(link.validTill).toISOString(), texts.language))}
              <Button size="xs" loading={create.isPending} onClick={() => submit(true)}>
                {texts.setupLinks.replace}
              </Button>
            </Stack>
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {texts.forms.cancel}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={types.length === 0 || link !== undefined}>
            {texts.forms.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dsync, send, useAction, useData } from '../../api/queries.ts'
import type { Directory } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useFields } from '../../ui/fields.ts'
import { isolated } from '../../ui/isolated.ts'
import { ScopeFields, useScope } from '../scope-fields.tsx'

interface CreateDirectoryProps {
  readonly opened: boolean
  readonly close: () => void
}

/** Asks for what a new directory needs and creates it. */
export function CreateDirectory({ opened, close }: CreateDirectoryProps) {
  const texts = useTexts()
  return (
    <Dialog opened={opened} onClose={close} title={texts.directories.createTitle} size="lg">
      {opened ? <Form close={close} /> : null}
    </Dialog>
  )
}

function Form({ close }: Pick<CreateDirectoryProps, 'close'>) {
  const texts = useTexts()
  const navigate = useNavigate()
  const providers = useData<Readonly<Record<string, string>>>(`${dsync}/providers`)
  const [type, setType] = useState('okta-scim-v2')
  const [isStrict, setStrict] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const create = useAction((input: object) => send<Directory>('POST', dsync, input), [dsync])
  const fields = useFields({ ...useScope(), webhook_url: '' }, create.error)

  const submit = async () => {
    const scim = isStrict && type !== 'extdir' ? { scim_profile: 'strict' } : {}
    const held = isHeld ? { adoption: 'hold' } : {}
    const directory = await create.mutateAsync({ ...fields.filled, type, ...scim, ...held }).catch(() => undefined)
    if (directory === undefined) return
    notifications.show({ message: texts.directories.created(isolated(directory.name)), color: 'teal' })
    close()
    await navigate(`/directories/${directory.id}/settings`)
  }

  return (
    <DialogForm
      label={texts.forms.create}
      isPending={create.isPending}
      error={create.error}
      fields={fields.names}
      submit={() => void submit()}
      close={close}
    >
      <ScopeFields fields={fields} nameHint={texts.directories.nameHint} />
      <NativeSelect
        label={texts.directories.type}
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
        data={Object.entries(providers.data ?? {}).map(([value, label]) => ({ value, label }))}
      />
      <TextInput
        type="url"
        label={`${texts.directories.endpoint} (${texts.forms.optional})`}
        description={texts.directories.endpointHint}
        placeholder="https://"
        {...fields.field('webhook_url')}
      />
      {type === 'extdir' ? null : (
        <Switch
          label={texts.settings.strict}
          description={texts.settings.strictText}
          checked={isStrict}
          onChange={(event) => setStrict(event.currentTarget.checked)}
        />
      )}
      <Switch
        label={texts.hold.untilLinked}
        description={texts.hold.untilLinkedText}
        checked={isHeld}
        onChange={(event) => setHeld(event.currentTarget.checked)}
      />
    </DialogForm>
  )
}

import { Alert, Button, Checkbox, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/http.ts'
import { useAction } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog, DialogEnd, DialogForm } from '../../ui/dialog.tsx'
import { useFields } from '../../ui/fields.ts'
import { Icon } from '../../ui/icons.tsx'
import { fullTime } from '../../ui/times.ts'
import { AssignableRoles } from '../assignable-roles.tsx'
import { createSetupLink, NewSetupLink, setupLinksPath } from '../new-setup-link.tsx'
import { ScopeFields, useScope } from '../scope-fields.tsx'
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

function Form({ close }: Pick<CreateSetupLinkProps, 'close'>) {
  const texts = useTexts()
  const { setup_types: offered } = useSession()
  const [types, setTypes] = useState(offered.map(({ type }) => type))
  const [roles, setRoles] = useState<string[]>([])
  const [days, setDays] = useState('3')
  const create = useAction(createSetupLink, [setupLinksPath])
  /** The tenant has a link with other settings. */
  const conflict = create.error instanceof ApiError && create.error.status === 409 ? create.error : undefined
  const error = conflict === undefined ? create.error : null
  const fields = useFields(useScope(), error)
  const link = create.data?.link
  const existing =
    link === undefined
      ? conflict && texts.setupLinks.differs(conflict.problems.map(({ field }) => field))
      : texts.setupLinks.exists(fullTime(new Date(link.validTill).toISOString(), texts.language))
  const submit = (regenerate: boolean) => {
    const isAny = types.length === offered.length
    create.mutate({ ...fields.filled, ...(isAny ? {} : { types }), roles, expiryDays: Number(days), regenerate })
  }

  if (create.data !== undefined && link?.url) {
    return (
      <Stack gap="md">
        <NewSetupLink created={create.data} />
        <DialogEnd close={close} />
      </Stack>
    )
  }
  return (
    <DialogForm
      label={texts.forms.create}
      isDisabled={types.length === 0 || existing !== undefined}
      isPending={create.isPending}
      error={error}
      fields={[...fields.names, 'types', 'roles']}
      submit={() => submit(false)}
      close={close}
    >
      <ScopeFields fields={fields} nameHint={texts.setupLinks.nameHint} />
      <Checkbox.Group
        label={texts.setupLinks.types}
        description={texts.setupLinks.typesHint}
        value={types}
        error={error?.problems.find(({ field }) => field === 'types')?.message}
        onChange={setTypes}
      >
        <Stack gap={6} mt="xs">
          {offered.map(({ type, label }) => (
            <Checkbox key={type} value={type} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <AssignableRoles roles={roles} error={error} onChange={setRoles} />
      <NativeSelect
        label={texts.setupLinks.expiry}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        data={Object.entries(texts.setupLinks.expiries).map(([value, label]) => ({ value, label }))}
      />
      {existing === undefined ? null : (
        <Alert color="yellow" icon={<Icon name="warning" size={18} />}>
          <Stack gap="xs" align="flex-start">
            {existing}
            <Button size="xs" loading={create.isPending} onClick={() => submit(true)}>
              {texts.setupLinks.replace}
            </Button>
          </Stack>
        </Alert>
      )}
    </DialogForm>
  )
}

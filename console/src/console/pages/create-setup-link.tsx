import {
  Alert,
  Button,
  Checkbox,
  NativeSelect,
  PasswordInput,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/http.ts'
import { useAction } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog, DialogEnd, DialogForm } from '../../ui/dialog.tsx'
import { useFields } from '../../ui/fields.ts'
import { Icon } from '../../ui/icons.tsx'
import { fullTime } from '../../ui/times.ts'
import { AssignableRoles } from '../assignable-roles.tsx'
import type { Header } from '../headers.tsx'
import { Headers, valuesOf } from '../headers.tsx'
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
    <Dialog opened={opened} onClose={close} title={texts.setupLinks.createTitle} size="lg">
      {opened ? <Form close={close} /> : null}
    </Dialog>
  )
}

/** The lists that a link can carry. */
type Lists = Readonly<Record<'allowed_domains' | 'extdir_groups' | 'extdir_org_units', readonly string[]>>

function Form({ close }: Pick<CreateSetupLinkProps, 'close'>) {
  const texts = useTexts()
  const { setup_types: offered } = useSession()
  const [types, setTypes] = useState(offered.map(({ type }) => type))
  const [roles, setRoles] = useState<string[]>([])
  const [lists, setLists] = useState<Lists>({ allowed_domains: [], extdir_groups: [], extdir_org_units: [] })
  const [isRefused, setRefused] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const [headers, setHeaders] = useState<readonly Header[]>([])
  const [days, setDays] = useState('3')
  const [isStrict, setStrict] = useState(false)
  const create = useAction(createSetupLink, [setupLinksPath])
  /** The tenant has a link with other settings. */
  const conflict = create.error instanceof ApiError && create.error.status === 409 ? create.error : undefined
  const error = conflict === undefined ? create.error : null
  const fields = useFields({ ...useScope(), webhook_url: '', webhook_secret: '', return_url: '' }, error)
  const { webhook_secret, ...filled } = fields.filled
  const hasEndpoint = filled.webhook_url !== undefined
  const problem = (name: string) => error?.problems.find(({ field }) => field === name)?.message
  const list = (name: keyof Lists) => ({
    value: [...lists[name]],
    error: problem(name),
    onChange: (value: string[]) => setLists({ ...lists, [name]: value }),
    acceptValueOnBlur: true,
    autoComplete: 'off',
  })
  const link = create.data?.link
  const existing =
    link === undefined
      ? conflict && texts.setupLinks.differs(conflict.problems.map(({ field }) => field))
      : texts.setupLinks.exists(fullTime(new Date(link.validTill).toISOString(), texts.language))
  const isGoogle = types.includes('extdir')
  const isScim = types.some((type) => type !== 'extdir')
  const isShown = (name: string) => isGoogle || name === 'allowed_domains'
  const submit = (regenerate: boolean) => {
    const isAny = types.length === offered.length
    const endpoint = hasEndpoint
      ? { ...(webhook_secret && { webhook_secret }), ...(headers.length > 0 && { webhook_headers: valuesOf(headers) }) }
      : {}
    const outside = lists.allowed_domains.length > 0 && { outside_domains: isRefused ? 'refuse' : 'flag' }
    const entered = {
      ...Object.fromEntries(Object.entries(lists).filter(([name, { length }]) => length > 0 && isShown(name))),
      ...(isScim && isStrict && { scim_profile: 'strict' }),
    }
    create.mutate({
      ...{ ...filled, ...endpoint, ...entered, ...outside, ...(isAny ? {} : { types }) },
      ...{ roles, expiryDays: Number(days), regenerate, ...(isHeld && { adoption: 'hold' }) },
    })
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
      fields={[...fields.names, ...Object.keys(lists), 'webhook_headers', 'types', 'roles']}
      submit={() => submit(false)}
      close={close}
    >
      <ScopeFields fields={fields} nameHint={texts.setupLinks.nameHint} />
      <TextInput
        type="url"
        label={`${texts.directories.endpoint} (${texts.forms.optional})`}
        description={texts.setupLinks.endpointHint}
        placeholder="https://"
        {...fields.field('webhook_url')}
      />
      {hasEndpoint ? (
        <>
          <PasswordInput
            label={`${texts.settings.secret} (${texts.forms.optional})`}
            description={texts.setupLinks.secretHint}
            {...fields.field('webhook_secret')}
            autoComplete="new-password"
          />
          <Headers headers={headers} error={problem('webhook_headers')} onChange={setHeaders} />
        </>
      ) : null}
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
      {isScim ? (
        <Switch
          label={texts.settings.strict}
          description={texts.settings.strictText}
          checked={isStrict}
          onChange={(event) => setStrict(event.currentTarget.checked)}
        />
      ) : null}
      {isGoogle ? (
        <>
          <TagsInput
            label={`${texts.setupLinks.groups} (${texts.forms.optional})`}
            description={texts.setupLinks.googleHint}
            {...list('extdir_groups')}
          />
          <TagsInput
            label={`${texts.setupLinks.units} (${texts.forms.optional})`}
            description={texts.setupLinks.unitsHint}
            splitChars={[]}
            {...list('extdir_org_units')}
          />
        </>
      ) : null}
      <TagsInput
        label={`${texts.settings.domains} (${texts.forms.optional})`}
        description={texts.setupLinks.domainsHint}
        splitChars={[',', ' ']}
        {...list('allowed_domains')}
      />
      {lists.allowed_domains.length === 0 ? null : (
        <Switch
          label={texts.settings.refuseOutside}
          description={texts.settings.refuseOutsideText}
          checked={isRefused}
          onChange={(event) => setRefused(event.currentTarget.checked)}
        />
      )}
      <Switch
        label={texts.hold.untilLinked}
        description={texts.hold.untilLinkedText}
        checked={isHeld}
        onChange={(event) => setHeld(event.currentTarget.checked)}
      />
      <AssignableRoles roles={roles} error={error} onChange={setRoles} />
      <NativeSelect
        label={texts.setupLinks.expiry}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        data={Object.entries(texts.setupLinks.expiries).map(([value, label]) => ({ value, label }))}
      />
      <TextInput
        type="url"
        label={`${texts.setupLinks.returnUrl} (${texts.forms.optional})`}
        description={texts.setupLinks.returnUrlHint}
        placeholder="https://"
        {...fields.field('return_url')}
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

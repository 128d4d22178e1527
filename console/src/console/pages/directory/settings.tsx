import { Button, Group, NativeSelect, NumberInput, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dsync, send, useAction } from '../../../api/queries.ts'
import type { Directory, RemovalLimit } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import { useProblemFocus } from '../../../ui/focus.ts'
import { isolated } from '../../../ui/isolated.ts'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Failure } from '../../../ui/states.tsx'
import { fullTime } from '../../../ui/times.ts'
import type { Header } from '../../headers.tsx'
import { Headers, valuesOf } from '../../headers.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'
import { SetupLinkSection } from './setup-link.tsx'

/** Changes fields of the directory. */
function useUpdate() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const update = useAction((fields: object) => send<Directory>('PATCH', path, fields), [dsync])
  return {
    ...update,
    form: useProblemFocus(update.error),
    save: async (fields: object) => {
      const saved = await update.mutateAsync(fields).catch(() => undefined)
      if (saved !== undefined) notifications.show({ message: texts.forms.saved, color: 'teal' })
      return saved !== undefined
    },
  }
}

/** The settings of a directory: its name, its endpoint, and what is kept. */
export function SettingsPage() {
  const { type, extdir_groups: groups, extdir_org_units: units } = useDirectory()
  const mayWrite = useMayWrite()
  return (
    <Stack gap="lg">
      {type === 'extdir' ? null : <ScimSection />}
      {mayWrite ? <SetupLinkSection /> : null}
      <EndpointSection />
      <GeneralSection />
      <LogSection />
      {type === 'extdir' ? <GoogleSection key={JSON.stringify([groups, units])} /> : <GroupSection />}
      <DomainSection />
      <LimitSection />
      {mayWrite ? <DangerSection /> : null}
    </Stack>
  )
}

function GeneralSection() {
  const texts = useTexts()
  const directory = useDirectory()
  const { save, isPending, error, form } = useUpdate()
  const [name, setName] = useState(directory.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ name })
  }
  return (
    <Section title={texts.settings.general}>
      <form ref={form} onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={texts.directories.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            className="grow"
            error={error?.message}
          />
          <SaveButton isPending={isPending} isChanged={name !== directory.name} />
        </Group>
      </form>
    </Section>
  )
}

function SaveButton({ isPending, isChanged }: { readonly isPending: boolean; readonly isChanged: boolean }) {
  const texts = useTexts()
  if (!useMayWrite()) return null
  return (
    <Button type="submit" loading={isPending} disabled={!isChanged}>
      {texts.forms.save}
    </Button>
  )
}

function ScimSection() {
  const { settings } = useTexts()
  const { scim, scim_profile: profile } = useDirectory()
  return (
    <Section id="scim" title={settings.scim} description={settings.scimText} actions={<Rotate secret="scim" />}>
      <Stack gap="md">
        <Facts wide>
          <Fact name={settings.url}>
            <Value name={settings.url} value={scim.endpoint} />
          </Fact>
          <Fact name={settings.token}>
            <Value name={settings.token} value={scim.secret} secret />
            <PreviousSecret expiresAt={scim.previous_secret_expires_at} />
          </Fact>
        </Facts>
        <FlagSwitch
          label={settings.strict}
          text={settings.strictText}
          isOn={profile === 'strict'}
          change={(isOn) => ({ scim_profile: isOn ? 'strict' : 'tolerant' })}
        />
      </Stack>
    </Section>
  )
}

/** Replaces a secret, after a question about how long the previous one stays valid. */
function Rotate({ secret }: { readonly secret: 'scim' | 'webhook' }) {
  const { settings } = useTexts()
  const { label, title, text } = settings.rotations[secret]
  const path = useDirectoryPath()
  const [grace, setGrace] = useState('86400')
  const rotate = useAction(
    () => send('POST', `${path}/rotate-${secret === 'scim' ? '' : 'webhook-'}secret`, { grace_seconds: Number(grace) }),
    [path],
  )
  if (!useMayWrite()) return null
  const choice = (
    <NativeSelect
      key="grace"
      label={settings.grace}
      value={grace}
      onChange={(event) => setGrace(event.currentTarget.value)}
      data={Object.entries(settings.graces).map(([value, name]) => ({ value, label: name }))}
    />
  )
  return (
    <Confirm
      label={label}
      icon="refresh"
      title={title}
      consequences={[...text, choice]}
      act={async () => {
        await rotate.mutateAsync(undefined)
        notifications.show({ message: settings.rotated, color: 'teal' })
      }}
    />
  )
}

/** Says how long the secret before the last rotation still works. */
function PreviousSecret({ expiresAt = '' }: { readonly expiresAt?: string | undefined }) {
  const { settings, language } = useTexts()
  if (!(Date.parse(expiresAt) > Date.now())) return null
  return <div className="muted">{settings.previousWorks(fullTime(expiresAt, language))}</div>
}

function EndpointSection() {
  const texts = useTexts()
  const { webhook } = useDirectory()
  const mayWrite = useMayWrite()
  const { save, isPending, error, form } = useUpdate()
  const [url, setUrl] = useState(webhook.endpoint)
  const [headers, setHeaders] = useState<readonly Header[]>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ webhook_url: url.trim(), ...(headers && { webhook_headers: valuesOf(headers) }) }).then((isSaved) => {
      if (isSaved) setHeaders(undefined)
    })
  }
  const problem = (field: string) => error?.problems.find((one) => one.field === field)?.message
  return (
    <Section
      id="endpoint"
      title={texts.settings.endpoint}
      description={texts.settings.endpointText}
      actions={webhook.endpoint === '' ? null : <Rotate secret="webhook" />}
    >
      <form ref={form} onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            type="url"
            label={texts.settings.url.replace('SCIM ', '')}
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            className="grow"
            readOnly={!mayWrite}
            error={problem('webhook_headers') === undefined ? error?.message : problem('webhook_url')}
          />
          <SaveButton isPending={isPending} isChanged={url !== webhook.endpoint || headers !== undefined} />
        </Group>
        {headers === undefined ? null : (
          <Headers headers={headers} error={problem('webhook_headers')} onChange={setHeaders} />
        )}
      </form>
      {webhook.endpoint === '' ? null : (
        <Facts wide>
          <Fact name={texts.settings.secret}>
            <Value name={texts.settings.secret} value={webhook.secret} secret />
            <PreviousSecret expiresAt={webhook.previous_secret_expires_at} />
          </Fact>
          <Fact name={texts.settings.headers}>
            <Group gap="sm">
              {webhook.headers.length === 0 ? texts.settings.noHeaders : webhook.headers.join(', ')}
              {mayWrite && headers === undefined ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setHeaders(webhook.headers.map((name) => ({ name, value: '' })))}
                >
                  {texts.settings.replaceHeaders}
                </Button>
              ) : null}
            </Group>
          </Fact>
        </Facts>
      )}
    </Section>
  )
}

interface FlagSwitchProps {
  readonly label: string
  readonly text: string
  readonly isOn: boolean
  /** Whether another setting decides. */
  readonly isFixed?: boolean
  /** Returns the fields to change. */
  readonly change: (isOn: boolean) => object
}

/** A setting that is on or off, and is saved at once. */
function FlagSwitch({ label, text, isOn, isFixed = false, change }: FlagSwitchProps) {
  const mayWrite = useMayWrite()
  const { save, error, isPending } = useUpdate()
  return (
    <>
      <Switch
        label={label}
        description={text}
        checked={isOn}
        disabled={!mayWrite || isPending || isFixed}
        onChange={(event) => void save(change(event.currentTarget.checked))}
      />
      {error === null ? null : <Failure error={error} />}
    </>
  )
}

function LogSection() {
  const { settings } = useTexts()
  const { type, log_webhook_events: deliveries, log_scim_requests: requests } = useDirectory()
  return (
    <Section id="logs" title={settings.logs}>
      <Stack gap="md">
        <FlagSwitch
          label={settings.logDeliveries}
          text={settings.logDeliveriesText}
          isOn={deliveries}
          change={(isOn) => ({ log_webhook_events: isOn })}
        />
        {requests === undefined || type === 'extdir' ? null : (
          <FlagSwitch
            label={settings.logRequests}
            text={settings.logRequestsText}
            isOn={requests}
            change={(isOn) => ({ log_scim_requests: isOn })}
          />
        )}
      </Stack>
    </Section>
  )
}

function GoogleSection() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { extdir_groups: presentGroups = [], extdir_org_units: presentUnits = [] } = useDirectory()
  const { save, error, isPending, form } = useUpdate()
  const [groups, setGroups] = useState(presentGroups)
  const [units, setUnits] = useState(presentUnits)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ extdir_groups: groups, extdir_org_units: units })
  }
  const problem = (field: string) => error?.problems.find((one) => one.field === field)?.message
  return (
    <Section id="google" title={texts.settings.google} description={texts.settings.googleText}>
      <form ref={form} onSubmit={submit}>
        <Stack gap="md">
          <TagsInput
            label={texts.settings.googleGroups}
            description={texts.settings.googleGroupsText}
            value={[...groups]}
            error={problem('extdir_groups')}
            readOnly={!mayWrite}
            acceptValueOnBlur
            onChange={setGroups}
          />
          <TagsInput
            label={texts.settings.googleUnits}
            description={texts.settings.googleUnitsText}
            value={[...units]}
            error={problem('extdir_org_units')}
            readOnly={!mayWrite}
            acceptValueOnBlur
            splitChars={[]}
            onChange={setUnits}
          />
          {error === null || error.problems.length > 0 ? null : <Failure error={error} />}
          <Group>
            <SaveButton
              isPending={isPending}
              isChanged={JSON.stringify([groups, units]) !== JSON.stringify([presentGroups, presentUnits])}
            />
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function GroupSection() {
  const { settings } = useTexts()
  const { unique_group_names: isOn, scim_profile: profile } = useDirectory()
  const isStrict = profile === 'strict'
  return (
    <Section title={settings.groups}>
      <FlagSwitch
        label={settings.uniqueGroupNames}
        text={isStrict ? settings.strictGroupNamesText : settings.uniqueGroupNamesText}
        isOn={isOn || isStrict}
        isFixed={isStrict}
        change={(is) => ({ unique_group_names: is })}
      />
    </Section>
  )
}

function DomainSection() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { type, allowed_domains: present, outside_domains: action } = useDirectory()
  const { save, error, isPending, form } = useUpdate()
  const [domains, setDomains] = useState(present.join(', '))
  const [isRefused, setRefused] = useState(action === 'refuse')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const allowed_domains = domains.split(/[\s,;]+/).filter((domain) => domain !== '')
    void save({ allowed_domains, outside_domains: isRefused ? 'refuse' : 'flag' })
  }
  return (
    <Section id="domains" title={texts.settings.domains} description={texts.settings.domainsText}>
      <form ref={form} onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={texts.settings.domainList}
            description={texts.settings.domainListHint}
            placeholder="acme.com, acme.de"
            value={domains}
            onChange={(event) => setDomains(event.currentTarget.value)}
            readOnly={!mayWrite}
            error={error?.message}
          />
          <Switch
            label={texts.settings.refuseOutside}
            description={type === 'extdir' ? texts.settings.skipOutsideText : texts.settings.refuseOutsideText}
            checked={isRefused}
            disabled={!mayWrite}
            onChange={(event) => setRefused(event.currentTarget.checked)}
          />
          <Group>
            <SaveButton
              isPending={isPending}
              isChanged={domains !== present.join(', ') || isRefused !== (action === 'refuse')}
            />
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

const usualLimit: RemovalLimit = { percent: 30, minimum: 20, window_seconds: 3600 }

function LimitSection() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { removal_limit: present } = useDirectory()
  const { save, error, isPending, form } = useUpdate()
  const [limit, setLimit] = useState(present ?? usualLimit)
  const [isOn, setOn] = useState(present !== null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ removal_limit: isOn ? limit : null })
  }
  const number = (value: string | number, least: number) => Math.max(least, Number(value) || least)
  return (
    <Section title={texts.settings.limit} description={texts.settings.limitText}>
      <form ref={form} onSubmit={submit}>
        <Stack gap="md">
          <Switch
            label={texts.settings.limitOn}
            checked={isOn}
            disabled={!mayWrite}
            onChange={(event) => setOn(event.currentTarget.checked)}
          />
          {isOn ? (
            <Group gap="sm" align="flex-end">
              <NumberInput
                label={texts.settings.percent}
                value={limit.percent}
                min={1}
                max={100}
                onChange={(value) => setLimit({ ...limit, percent: number(value, 1) })}
              />
              <NumberInput
                label={texts.settings.minimum}
                value={limit.minimum}
                min={0}
                onChange={(value) => setLimit({ ...limit, minimum: number(value, 0) })}
              />
              <NumberInput
                label={texts.settings.window}
                value={Math.round(limit.window_seconds / 60)}
                min={1}
                onChange={(value) => setLimit({ ...limit, window_seconds: number(value, 1) * 60 })}
              />
            </Group>
          ) : null}
          {error === null ? null : <Failure error={error} />}
          <Group>
            <SaveButton
              isPending={isPending}
              isChanged={JSON.stringify(isOn ? limit : null) !== JSON.stringify(present)}
            />
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function DangerSection() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const navigate = useNavigate()
  const { name, deactivated } = useDirectory()
  const update = useAction((fields: object) => send('PATCH', path, fields), [dsync])
  const remove = useAction(() => send('DELETE', path), [`${dsync}/directories`])
  return (
    <Section id="danger" title={texts.settings.danger}>
      <Stack gap="md">
        <Group justify="space-between">
          <Text size="sm" maw={520}>
            {texts.settings.deactivateNote}
          </Text>
          <Confirm
            label={deactivated ? texts.settings.activate : texts.settings.deactivate}
            title={deactivated ? texts.settings.activateTitle : texts.settings.deactivateTitle}
            consequences={deactivated ? texts.settings.activateText : texts.settings.deactivateText}
            dangerous={!deactivated}
            act={() => update.mutateAsync({ deactivated: !deactivated })}
          />
        </Group>
        <Group justify="space-between">
          <Text size="sm" maw={520}>
            {texts.settings.deleteNote}
          </Text>
          <Confirm
            label={texts.settings.delete}
            icon="trash"
            title={texts.settings.deleteTitle}
            consequences={texts.settings.deleteText(isolated(name))}
            typed={name}
            dangerous
            act={async () => {
              await remove.mutateAsync(undefined)
              notifications.show({ message: texts.settings.deleted(isolated(name)) })
              await navigate('/directories')
            }}
          />
        </Group>
      </Stack>
    </Section>
  )
}

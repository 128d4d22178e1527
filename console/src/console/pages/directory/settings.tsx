import { Button, Group, NativeSelect, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dsync, send, useAction } from '../../../api/queries.ts'
import type { Directory, RemovalLimit } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import { isolated } from '../../../ui/isolated.ts'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Failure } from '../../../ui/states.tsx'
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
    save: async (fields: object) => {
      const saved = await update.mutateAsync(fields).catch(() => undefined)
      if (saved !== undefined) notifications.show({ message: texts.forms.saved, color: 'teal' })
    },
  }
}

/** What the directory is called, where it is reached, and what is kept. */
export function SettingsPage() {
  const { type } = useDirectory()
  const mayWrite = useMayWrite()
  return (
    <Stack gap="lg">
      {type === 'extdir' ? null : <ScimSection />}
      {mayWrite ? <SetupLinkSection /> : null}
      <EndpointSection />
      <GeneralSection />
      <LogSection />
      {type === 'extdir' ? null : <GroupSection />}
      <LimitSection />
      {mayWrite ? <DangerSection /> : null}
    </Stack>
  )
}

function GeneralSection() {
  const texts = useTexts()
  const directory = useDirectory()
  const { save, isPending, error } = useUpdate()
  const [name, setName] = useState(directory.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ name })
  }
  return (
    <Section title={texts.settings.general}>
      <form onSubmit={submit}>
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
  const texts = useTexts()
  const path = useDirectoryPath()
  const { scim } = useDirectory()
  const [grace, setGrace] = useState('86400')
  const rotate = useAction(
    () => send<Directory>('POST', `${path}/rotate-secret`, { grace_seconds: Number(grace) }),
    [path],
  )
  return (
    <Section
      id="scim"
      title={texts.settings.scim}
      description={texts.settings.scimText}
      actions={
        useMayWrite() ? (
          <Confirm
            label={texts.settings.rotate}
            icon="refresh"
            title={texts.settings.rotateTitle}
            consequences={[...texts.settings.rotateText, <GraceChoice key="grace" grace={grace} setGrace={setGrace} />]}
            act={async () => {
              await rotate.mutateAsync(undefined)
              notifications.show({ message: texts.settings.rotated, color: 'teal' })
            }}
          />
        ) : null
      }
    >
      <Facts wide>
        <Fact name={texts.settings.url}>
          <Value name={texts.settings.url} value={scim.endpoint} />
        </Fact>
        <Fact name={texts.settings.token}>
          <Value name={texts.settings.token} value={scim.secret} secret />
        </Fact>
      </Facts>
    </Section>
  )
}

interface GraceChoiceProps {
  readonly grace: string
  readonly setGrace: (grace: string) => void
}

/** How long the previous secret stays valid. */
function GraceChoice({ grace, setGrace }: GraceChoiceProps) {
  const texts = useTexts()
  return (
    <NativeSelect
      label={texts.settings.grace}
      value={grace}
      onChange={(event) => setGrace(event.currentTarget.value)}
      data={Object.entries(texts.settings.graces).map(([value, label]) => ({ value, label }))}
    />
  )
}

function EndpointSection() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const { webhook } = useDirectory()
  const mayWrite = useMayWrite()
  const { save, isPending, error } = useUpdate()
  const [url, setUrl] = useState(webhook.endpoint)
  const [grace, setGrace] = useState('86400')
  const rotate = useAction(
    () => send<Directory>('POST', `${path}/rotate-webhook-secret`, { grace_seconds: Number(grace) }),
    [path],
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ webhook_url: url.trim() })
  }
  return (
    <Section
      id="endpoint"
      title={texts.settings.endpoint}
      description={texts.settings.endpointText}
      actions={
        mayWrite && webhook.endpoint !== '' ? (
          <Confirm
            label={texts.settings.rotateSecret}
            icon="refresh"
            title={texts.settings.rotateSecretTitle}
            consequences={[
              ...texts.settings.rotateSecretText,
              <GraceChoice key="grace" grace={grace} setGrace={setGrace} />,
            ]}
            act={() => rotate.mutateAsync(undefined)}
          />
        ) : null
      }
    >
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            type="url"
            label={texts.settings.url.replace('SCIM ', '')}
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            className="grow"
            readOnly={!mayWrite}
            error={error?.message}
          />
          <SaveButton isPending={isPending} isChanged={url !== webhook.endpoint} />
        </Group>
      </form>
      {webhook.endpoint === '' ? null : (
        <Facts wide>
          <Fact name={texts.settings.secret}>
            <Value name={texts.settings.secret} value={webhook.secret} secret />
          </Fact>
        </Facts>
      )}
    </Section>
  )
}

function LogSection() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { type, log_webhook_events: deliveries, log_scim_requests: requests } = useDirectory()
  const { save, error, isPending } = useUpdate()
  return (
    <Section id="logs" title={texts.settings.logs}>
      <Stack gap="md">
        <Switch
          label={texts.settings.logDeliveries}
          description={texts.settings.logDeliveriesText}
          checked={deliveries}
          disabled={!mayWrite || isPending}
          onChange={(event) => void save({ log_webhook_events: event.currentTarget.checked })}
        />
        {requests === undefined || type === 'extdir' ? null : (
          <Switch
            label={texts.settings.logRequests}
            description={texts.settings.logRequestsText}
            checked={requests}
            disabled={!mayWrite || isPending}
            onChange={(event) => void save({ log_scim_requests: event.currentTarget.checked })}
          />
        )}
        {error === null ? null : <Failure error={error} />}
      </Stack>
    </Section>
  )
}

function GroupSection() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { unique_group_names: isOn } = useDirectory()
  const { save, error, isPending } = useUpdate()
  return (
    <Section title={texts.settings.groups}>
      <Stack gap="md">
        <Switch
          label={texts.settings.uniqueGroupNames}
          description={texts.settings.uniqueGroupNamesText}
          checked={isOn}
          disabled={!mayWrite || isPending}
          onChange={(event) => void save({ unique_group_names: event.currentTarget.checked })}
        />
        {error === null ? null : <Failure error={error} />}
      </Stack>
    </Section>
  )
}

const usualLimit: RemovalLimit = { percent: 30, minimum: 20, window_seconds: 3600 }

function LimitSection() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { removal_limit: present } = useDirectory()
  const { save, error, isPending } = useUpdate()
  const [limit, setLimit] = useState(present ?? usualLimit)
  const [isOn, setOn] = useState(present !== null)
  if (present === undefined) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save({ removal_limit: isOn ? limit : null })
  }
  const number = (value: string | number, least: number) => Math.max(least, Number(value) || least)
  return (
    <Section title={texts.settings.limit} description={texts.settings.limitText}>
      <form onSubmit={submit}>
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

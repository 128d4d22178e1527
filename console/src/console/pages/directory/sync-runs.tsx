import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { send, useAction, useRows } from '../../../api/queries.ts'
import type { SyncRun } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import type { IconName } from '../../../ui/icons.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Section } from '../../../ui/page.tsx'
import { Empty, Failure } from '../../../ui/states.tsx'
import type { Tone } from '../../../ui/status.tsx'
import { Status } from '../../../ui/status.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'

const forms: Readonly<Record<SyncRun['state'], { readonly tone: Tone; readonly icon: IconName }>> = {
  running: { tone: 'info', icon: 'sync' },
  completed: { tone: 'good', icon: 'check' },
  held: { tone: 'warn', icon: 'hold' },
  failed: { tone: 'bad', icon: 'cross' },
  superseded: { tone: 'neutral', icon: 'minus' },
}

/** The syncs of a directory that is read from Google Workspace. */
export function SyncRunsPage() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const mayWrite = useMayWrite()
  const directory = useDirectory()
  const runs = useRows<SyncRun>(`${path}/sync-runs`, {}, { every: 3_000 })
  const start = useAction(() => send('POST', `${path}/sync`), [path])
  const isRunning = runs.data?.[0]?.state === 'running'
  return (
    <Stack gap="lg">
      {directory.extdir_authorization_status === 'authorized' ? null : <Connect />}
      <Group justify="flex-end">
        {mayWrite ? (
          <Button
            size="xs"
            leftSection={<Icon name="sync" />}
            loading={start.isPending || isRunning}
            onClick={() => start.mutate(undefined)}
          >
            {texts.sync.start}
          </Button>
        ) : null}
      </Group>
      {start.error === null ? null : <Failure error={start.error} />}
      <PagedTable
        label={texts.directory.tabs.sync}
        query={runs}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.sync.state, cell: (run) => <RunState run={run} /> },
          {
            title: texts.sync.changes,
            cell: ({ id, created, updated, deleted }) => (
              <Link to={`../requests/${id}`}>{texts.sync.counts(created, updated, deleted)}</Link>
            ),
          },
          { title: texts.sync.trigger, cell: ({ trigger }) => trigger },
          { title: texts.sync.error, cell: ({ error }) => error ?? '–' },
          { title: texts.sync.started, cell: ({ started_at }) => <Time at={started_at} /> },
        ]}
        empty={<Empty icon="sync" title={texts.sync.empty} text={texts.sync.emptyText} />}
      />
    </Stack>
  )
}

function RunState({ run }: { readonly run: SyncRun }) {
  const texts = useTexts()
  const path = useDirectoryPath()
  const mayWrite = useMayWrite()
  return (
    <Group gap="xs">
      <Status {...forms[run.state]} text={texts.sync.states[run.state]} />
      {run.state === 'running' ? (
        <Text size="xs" c="dimmed">
          {texts.sync.phase(run.phase)}
        </Text>
      ) : null}
      {run.state === 'held' && mayWrite ? (
        <Confirm
          label={texts.sync.approve}
          title={texts.sync.approveTitle}
          consequences={texts.sync.approveText(run.held)}
          dangerous
          act={() => send('POST', `${path}/sync-runs/${run.id}/approve`)}
        />
      ) : null}
    </Group>
  )
}

/** Where an administrator of the Google Workspace consents. */
function Connect() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const mayWrite = useMayWrite()
  const { extdir_authorization_error: problem } = useDirectory()
  const link = useAction(() => send<{ url: string }>('POST', `${path}/authorization-url`), [])
  return (
    <Section title={texts.sync.connect} description={texts.sync.connectText}>
      <Stack gap="sm" align="flex-start">
        <Alert color="yellow" icon={<Icon name="warning" />}>
          {problem ?? texts.sync.needsConsent}
        </Alert>
        {link.data === undefined ? null : <Value name={texts.sync.connect} value={link.data.url} />}
        {mayWrite ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="link" />}
            loading={link.isPending}
            onClick={() => link.mutate(undefined)}
          >
            {texts.sync.connect}
          </Button>
        ) : null}
        {link.error === null ? null : <Failure error={link.error} />}
      </Stack>
    </Section>
  )
}

import { ApiError } from '../../../api/http.ts'
import { send, useAction, useData } from '../../../api/queries.ts'
import type { Resync } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Fact, Facts, Section } from '../../../ui/page.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { Status } from '../../../ui/status.tsx'
import { Time } from '../../../ui/time.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectoryPath } from './directory.tsx'

/** Sending the present state of the directory as events. */
export function ResyncPage() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const mayWrite = useMayWrite()
  const resync = useData<Resync | null>(`${path}/resync`, {}, { every: 2_000 })
  const start = useAction(() => send('POST', `${path}/resync`), [path])
  const isNone = resync.error instanceof ApiError && resync.error.status === 404
  return (
    <Section
      title={texts.resync.last}
      description={texts.resync.text}
      actions={
        mayWrite ? (
          <Confirm
            label={texts.resync.start}
            icon="sync"
            title={texts.resync.startTitle}
            consequences={texts.resync.startText}
            disabled={resync.data?.state === 'running'}
            act={() => start.mutateAsync(undefined)}
          />
        ) : null
      }
    >
      {isNone ? (
        <Empty icon="sync" title={texts.resync.none} />
      ) : (
        <Loaded query={resync}>
          {(found) => (found === null ? <Empty icon="sync" title={texts.resync.none} /> : <Progress resync={found} />)}
        </Loaded>
      )}
    </Section>
  )
}

function Progress({ resync }: { readonly resync: Resync }) {
  const texts = useTexts()
  const isRunning = resync.state === 'running'
  return (
    <Facts>
      <Fact name={texts.resync.state}>
        <Status
          tone={isRunning ? 'info' : 'good'}
          icon={isRunning ? 'sync' : 'check'}
          text={texts.resync[resync.state]}
        />
      </Fact>
      <Fact name={texts.resync.users}>{resync.users}</Fact>
      <Fact name={texts.resync.groups}>{resync.groups}</Fact>
      <Fact name={texts.resync.members}>{resync.members}</Fact>
      <Fact name={texts.resync.started}>
        <Time at={resync.started_at} />
      </Fact>
      <Fact name={texts.resync.ended}>{isRunning ? '–' : <Time at={resync.completed_at} />}</Fact>
    </Facts>
  )
}

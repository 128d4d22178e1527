import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from 'react-router'
import { send, useAction, useData } from '../../../api/queries.ts'
import type { BehaviorName, DeliveryStatus, Deprovisioning, Health } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { isolated } from '../../../ui/isolated.ts'
import { Name } from '../../../ui/name.tsx'
import { Fact, Facts, Figure, Section } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { DeliveryState, HealthStatus, Status } from '../../../ui/status.tsx'
import { Time } from '../../../ui/time.tsx'
import { duration } from '../../../ui/times.ts'
import { AdvisedAction, actionOfReason } from '../../advised-action.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'

/** Shows whether the directory works, and what was observed of its identity provider. */
export function HealthPage() {
  const path = useDirectoryPath()
  const health = useData<Health>(`${path}/health`, {}, { every: 15_000 })
  return (
    <Stack gap="lg">
      <Loaded query={health}>
        {(found) => (
          <>
            <Verdict health={found} />
            <Behaviours health={found} />
          </>
        )}
      </Loaded>
      <DeliverySection />
      <DeprovisioningSection />
    </Stack>
  )
}

function Verdict({ health }: { readonly health: Health }) {
  const texts = useTexts()
  const { id } = useDirectory()
  const { failed_authentications: failed } = health
  return (
    <Section title={texts.health.why} actions={<HealthStatus state={health.state} />}>
      {health.reasons.length === 0 ? (
        <Text size="sm">{texts.health.healthyText}</Text>
      ) : (
        <ul className="reasons">
          {health.reasons.map(({ code, message, since }) => (
            <li key={code}>
              <Icon name="warning" />
              <div className="reason-text">
                {message}{' '}
                <Text span size="xs" c="dimmed">
                  {since === null ? null : (
                    <>
                      {texts.times.since} <Time at={since} />
                    </>
                  )}
                </Text>
                <div>
                  <AdvisedAction
                    kind={
                      code === 'unauthorized' && health.failed_authentications.last_problem !== null
                        ? 'show-oauth-clients'
                        : actionOfReason[code]
                    }
                    directory_id={id}
                  />
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Facts>
        <Fact name={texts.health.lastRequest}>
          <Time at={health.last_request_at} />
        </Fact>
        <Fact name={texts.health.lastSuccess}>
          <Time at={health.last_success_at} />
        </Fact>
        <Fact name={texts.health.lastChange}>
          <Time at={health.last_change_at} />
        </Fact>
        <Fact name={texts.health.failedAuthentications}>
          {failed.count === 0 ? (
            '0'
          ) : (
            <>
              {texts.health.sinceLastSuccess(failed.since_last_success)}
              <Text size="xs" c="dimmed">
                {texts.health.lastFailure} <Time at={failed.last_at} />
                {failed.last_address === null ? null : ` ${texts.health.from} ${failed.last_address}`}
                {failed.last_problem === null ? null : `: ${failed.last_problem}`}
              </Text>
            </>
          )}
        </Fact>
      </Facts>
    </Section>
  )
}

function Behaviours({ health }: { readonly health: Health }) {
  const texts = useTexts()
  return (
    <Section title={texts.health.observed} description={texts.health.observedText}>
      <ul className="behaviours">
        {(Object.keys(texts.health.behaviors) as BehaviorName[]).map((name) => {
          const observed = health.behaviors[name]
          return (
            <li key={name} data-observed={observed !== null && observed !== undefined}>
              <Icon name={observed ? 'check' : 'minus'} size={18} />
              <div>
                <span>{texts.health.behaviors[name]}</span>
                <Text size="xs" c="dimmed" component="div">
                  {observed ? (
                    <>
                      <Time at={observed.last_at} />, {texts.health.first} <Time at={observed.first_at} />
                    </>
                  ) : (
                    texts.health.notYet
                  )}
                </Text>
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function DeliverySection() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const { webhook, deactivated } = useDirectory()
  const isOn = webhook.endpoint !== '' && !deactivated
  const mayChange = useMayWrite() && isOn
  const status = useData<DeliveryStatus>(`${path}/delivery`, {}, { every: 5_000 })
  const changed = [path]
  const resume = useAction(() => send('POST', `${path}/resume`), changed)
  return (
    <Loaded query={status}>
      {(found) => (
        <Section
          id="delivery"
          title={texts.health.delivery}
          description={webhook.endpoint}
          actions={
            <Group gap="xs">
              <DeliveryState state={found.state} />
              {mayChange ? <TestButton path={path} /> : null}
              {!mayChange ? null : found.paused === null && found.failures === 0 ? (
                <Confirm
                  label={texts.health.pause}
                  icon="pause"
                  title={texts.health.pauseTitle}
                  consequences={texts.health.pauseText}
                  act={async () => send('POST', `${path}/pause`).finally(() => status.refetch())}
                />
              ) : (
                <Button
                  size="xs"
                  leftSection={<Icon name="play" />}
                  loading={resume.isPending}
                  onClick={() => resume.mutate(undefined)}
                >
                  {found.paused === null ? texts.health.tryNow : texts.health.resume}
                </Button>
              )}
            </Group>
          }
        >
          <Facts>
            <Fact name={texts.health.delivered}>{texts.health.of(found.delivered_sequence, found.last_sequence)}</Fact>
            <Fact name={texts.health.undelivered}>{found.undelivered.toLocaleString(texts.language)}</Fact>
            <Fact name={texts.health.deadEvents}>
              {found.dead_events === 0 ? '0' : <Link to="dead-events">{found.dead_events}</Link>}
            </Fact>
            {found.paused === null ? null : (
              <Fact name={texts.delivery.states.paused}>
                {found.paused.by === null
                  ? texts.health.pausedReasons[found.paused.reason]
                  : texts.health.pausedBy(isolated(found.paused.by))}{' '}
                · <Time at={found.paused.at} />
              </Fact>
            )}
            {found.failures === 0 ? null : (
              <>
                <Fact name={texts.health.failures}>{found.failures}</Fact>
                <Fact name={texts.health.failingSince}>
                  <Time at={found.failing_since} />
                </Fact>
                <Fact name={texts.health.nextAttempt}>
                  <Time at={found.next_attempt_at} />
                </Fact>
              </>
            )}
          </Facts>
        </Section>
      )}
    </Loaded>
  )
}

interface TestResult {
  readonly delivered: boolean
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
}

function TestButton({ path }: { readonly path: string }) {
  const texts = useTexts()
  const test = useAction(() => send<TestResult>('POST', `${path}/test-event`), [])
  const run = async () => {
    const result = await test.mutateAsync(undefined).catch((error: Error) => error)
    const failed = result instanceof Error ? result.message : result.delivered ? undefined : (result.error ?? '')
    const message =
      result instanceof Error || failed !== undefined
        ? texts.health.testFailed(failed ?? '')
        : texts.health.tested(result.status_code, result.latency_ms)
    notifications.show({ message, color: failed === undefined ? 'teal' : 'red' })
  }
  return (
    <Button size="xs" variant="default" loading={test.isPending} onClick={() => void run()}>
      {texts.health.test}
    </Button>
  )
}

function DeprovisioningSection() {
  const texts = useTexts()
  const path = useDirectoryPath()
  const times = useData<Deprovisioning>(`${path}/deprovisioning`, {}, { every: 30_000 })
  const time = (ms: number | null) => duration(ms, texts.language)
  return (
    <Loaded query={times}>
      {({ count, p50_ms, p95_ms, p99_ms, target_ms, overdue }) => (
        <Section
          id="deprovisioning"
          title={texts.health.deprovisioning}
          description={texts.health.deprovisioningText}
          actions={
            overdue.length === 0 ? null : (
              <Status tone="bad" icon="warning" text={`${texts.health.overdue}: ${overdue.length}`} />
            )
          }
        >
          {count === 0 && overdue.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.health.noDeprovisioning}
            </Text>
          ) : (
            <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="sm">
              <Figure name={texts.health.measured} value={count} />
              <Figure name={texts.health.median} value={time(p50_ms)} />
              <Figure name="p95" value={time(p95_ms)} />
              <Figure name="p99" value={time(p99_ms)} />
              <Figure name={texts.health.target} value={time(target_ms)} />
            </SimpleGrid>
          )}
          {overdue.length === 0 ? null : (
            <ul className="reasons">
              {overdue.map(({ user_id, subject, since }) => (
                <li key={user_id}>
                  <Icon name="clock" />
                  <span>
                    <Link to={`users/${user_id}`}>
                      <Name>{subject ?? user_id}</Name>
                    </Link>{' '}
                    <Text span size="xs" c="dimmed">
                      {texts.times.since} <Time at={since} />
                    </Text>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
    </Loaded>
  )
}

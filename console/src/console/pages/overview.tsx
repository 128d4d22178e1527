import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ApiError } from '../../api/http.ts'
import { request } from '../../api/http.ts'
import { dsync, useRows } from '../../api/queries.ts'
import type { Deprovisioning, ListedHealth } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Figure, PageHeader, Section } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { HealthStatus } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useMayWrite } from '../session.tsx'
import { ProviderName } from './directories.tsx'
import { EventsPerMinute } from './events-per-minute.tsx'

/** The overview examines this many directories; the list of directories has all of them. */
const maxExamined = 500

/** How everything is, and what needs somebody. */
export function OverviewPage() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const directories = useRows<ListedHealth>(`${dsync}/health`, { pageLimit: maxExamined }, { every: 15_000 })
  return (
    <>
      <PageHeader title={texts.overview.title} />
      <Loaded query={directories}>
        {(found) =>
          found.length === 0 ? (
            <Empty
              icon="directory"
              title={texts.overview.noDirectories}
              text={texts.overview.noDirectoriesText}
              action={
                mayWrite ? (
                  <Button component={Link} to="/directories?new" mt="xs" leftSection={<Icon name="plus" />}>
                    {texts.directories.create}
                  </Button>
                ) : null
              }
            />
          ) : (
            <Overview directories={found} isComplete={!directories.hasNextPage} />
          )
        }
      </Loaded>
    </>
  )
}

interface OverviewProps {
  readonly directories: readonly ListedHealth[]
  readonly isComplete: boolean
}

const isHeld = ({ hold, reasons }: ListedHealth) =>
  (hold !== null && hold !== undefined) || reasons.some(({ code }) => code === 'held')
const isOverdue = ({ reasons }: ListedHealth) => reasons.some(({ code }) => code === 'deprovisioning-overdue')

function Overview({ directories, isComplete }: OverviewProps) {
  const texts = useTexts()
  const count = (state: ListedHealth['state']) => directories.filter((directory) => directory.state === state).length
  const needy = directories.filter(({ state }) => state !== 'healthy')
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        <Card
          name={texts.overview.directories}
          value={isComplete ? directories.length : `${directories.length}+`}
          to="/directories"
        />
        <Card name={texts.overview.healthy} value={count('healthy')} tone="good" to="/directories?state=healthy" />
        <Card
          name={texts.overview.attention}
          value={count('attention')}
          tone="warn"
          to="/directories?state=attention"
        />
        <Card name={texts.overview.failing} value={count('failing')} tone="bad" to="/directories?state=failing" />
        <Card
          name={texts.overview.holds}
          value={directories.filter(isHeld).length}
          tone="warn"
          to="/directories?state=attention"
        />
        <Overdue directories={directories.filter(isOverdue)} />
      </SimpleGrid>
      <Section title={texts.overview.needsYou}>
        {needy.length === 0 ? (
          <Empty icon="check" title={texts.overview.allWell} text={texts.overview.allWellText} />
        ) : (
          <ul className="needs">
            {needy.slice(0, 20).map((directory) => (
              <Need key={directory.directory_id} directory={directory} />
            ))}
          </ul>
        )}
      </Section>
      <EventsPerMinute directories={directories} />
    </Stack>
  )
}

interface CardProps {
  readonly name: string
  readonly value: number | string
  readonly to: string
  readonly tone?: 'good' | 'warn' | 'bad'
}

/** A figure that leads to what it counts; coloured only when there is something. */
function Card({ name, value, to, tone }: CardProps) {
  return (
    <Link to={to} className="figure-card" data-tone={value === 0 ? undefined : tone}>
      <Figure name={name} value={value} />
    </Link>
  )
}

/** How many users lost access at the identity provider whose deactivation the product has not accepted in time. */
function Overdue({ directories }: { readonly directories: readonly ListedHealth[] }) {
  const texts = useTexts()
  const ids = directories.slice(0, 20).map(({ directory_id: id }) => id)
  const overdue = useQuery<number, ApiError>({
    queryKey: [`${dsync}/overdue`, ids],
    queryFn: async () => {
      const read = (id: string) => request<{ data: Deprovisioning }>('GET', `${dsync}/${id}/deprovisioning`)
      const all = await Promise.all(ids.map(read))
      return all.reduce((sum, { data }) => sum + data.overdue.length, 0)
    },
  })
  return <Card name={texts.overview.overdue} value={overdue.data ?? 0} tone="bad" to={`/directories/${ids[0] ?? ''}`} />
}

/** A directory that is not healthy, with the worst reason. */
function Need({ directory }: { readonly directory: ListedHealth }) {
  const texts = useTexts()
  const { directory_id: id, name, type, state, reasons } = directory
  const [worst] = reasons
  return (
    <li>
      <HealthStatus state={state} />
      <div>
        <Link to={`/directories/${id}`}>{name}</Link>{' '}
        <span className="muted">
          <ProviderName type={type} />
          {worst?.since ? (
            <>
              {' · '}
              {texts.times.since} <Time at={worst.since} />
            </>
          ) : null}
        </span>
        <div>{worst?.message}</div>
      </div>
    </li>
  )
}

import { Button, SimpleGrid, Stack } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import type { Query } from '../../api/http.ts'
import { withQuery } from '../../api/http.ts'
import { dsync, useData } from '../../api/queries.ts'
import type { ListedHealth, Overview } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { Figure, PageHeader, Section } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { HealthStatus, reasonLabel } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { AdvisedAction, actionOfReason } from '../advised-action.tsx'
import { ProductMappingLink } from '../product-mapping-link.tsx'
import { ProviderName } from '../provider-name.tsx'
import { useMayWrite } from '../session.tsx'
import { TenantLink } from '../tenant-link.tsx'
import { Volumes } from './volumes.tsx'

/** Shows the state of all directories, and those that need attention; the address may name a tenant and a product. */
export function OverviewPage() {
  const texts = useTexts()
  const [parameters] = useSearchParams()
  const scope = { tenant: parameters.get('tenant') ?? '', product: parameters.get('product') ?? '' }
  const overview = useData<Overview>(`${dsync}/overview`, scope, { every: 15_000 })
  const names = [scope.product, scope.tenant].flatMap((name) => (name === '' ? [] : [isolated(name)]))
  return (
    <>
      <PageHeader
        title={texts.overview.title}
        description={names.length === 0 ? undefined : names.join(' · ')}
        actions={<ProductMappingLink product={scope.product} />}
      />
      <Loaded query={overview}>
        {(found) => (found.directories.total === 0 ? <NoDirectories /> : <Figures overview={found} scope={scope} />)}
      </Loaded>
    </>
  )
}

function NoDirectories() {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  return (
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
  )
}

interface FiguresProps {
  readonly overview: Overview
  readonly scope: Query
}

/** How many directories of a scope are in which state; each figure leads to them. */
export function HealthCards({ overview: { directories, overdue_deprovisionings: overdue }, scope }: FiguresProps) {
  const { language, overview: texts } = useTexts()
  const card = (name: string, count: number, filter: Query, tone?: CardProps['tone'], more = '') => (
    <Card
      name={name}
      value={count.toLocaleString(language) + more}
      tone={count > 0 ? tone : undefined}
      to={withQuery('/directories', { ...scope, ...filter })}
    />
  )
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {card(texts.directories, directories.total, {})}
      {card(texts.healthy, directories.healthy, { state: 'healthy' }, 'good')}
      {card(texts.attention, directories.attention, { state: 'attention', sort: 'worst' }, 'warn')}
      {card(texts.failing, directories.failing, { state: 'failing', sort: 'worst' }, 'bad')}
      {card(texts.holds, directories.held, { held: 'true', sort: 'worst' }, 'warn')}
      {card(texts.overdue, overdue.count, { overdue: 'true', sort: 'worst' }, 'bad', overdue.is_at_least ? '+' : '')}
    </SimpleGrid>
  )
}

function Figures({ overview, scope }: FiguresProps) {
  const texts = useTexts()
  const { directories, reasons, worst, volumes } = overview
  const number = new Intl.NumberFormat(texts.language)
  const list = (filter: Query) => withQuery('/directories', { ...scope, ...filter })
  return (
    <Stack gap="lg">
      <HealthCards overview={overview} scope={scope} />
      {reasons.length === 0 ? null : (
        <Section title={texts.overview.reasons} description={texts.overview.reasonsText}>
          <ul className="reason-counts">
            {reasons.map(({ code, state, directories: count }) => (
              <li key={`${state} ${code}`}>
                <HealthStatus state={state} />
                <Link to={list({ state, reason: code, sort: 'worst' })}>{reasonLabel(texts, code, state)}</Link>
                <span>{number.format(count)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section
        title={texts.overview.needsYou}
        actions={
          directories.total - directories.healthy > worst.length ? (
            <Link to={list({ sort: 'worst' })}>{texts.overview.allByState}</Link>
          ) : null
        }
      >
        {worst.length === 0 ? (
          <Empty icon="check" title={texts.overview.allWell} text={texts.overview.allWellText} />
        ) : (
          <ul className="needs">
            {worst.map((directory) => (
              <Need key={directory.directory_id} directory={directory} />
            ))}
          </ul>
        )}
      </Section>
      <Volumes volumes={volumes} />
    </Stack>
  )
}

interface CardProps {
  readonly name: string
  readonly value: string
  readonly to: string
  readonly tone?: 'good' | 'warn' | 'bad' | undefined
}

/** A figure that leads to what it counts; coloured only when there is something. */
function Card({ name, value, to, tone }: CardProps) {
  return (
    <Link to={to} className="figure-card" data-tone={tone}>
      <Figure name={name} value={value} />
    </Link>
  )
}

/** A directory that is not healthy, with the worst reason. */
function Need({ directory }: { readonly directory: ListedHealth }) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const { directory_id: id, name, tenant, type, state, reasons } = directory
  const [worst] = reasons
  return (
    <li>
      <HealthStatus state={state} />
      <div>
        <Link to={`/directories/${id}`}>
          <Name>{name}</Name>
        </Link>{' '}
        <span className="muted">
          <TenantLink tenant={tenant} /> · <ProviderName type={type} />
          {worst?.since ? (
            <>
              {' · '}
              {texts.times.since} <Time at={worst.since} />
            </>
          ) : null}
        </span>
        {worst === undefined ? null : (
          <div>
            {worst.message}
            {mayWrite ? (
              <div>
                <AdvisedAction kind={actionOfReason[worst.code]} directory_id={id} />
              </div>
            ) : null}
          </div>
        )}
      </div>
    </li>
  )
}

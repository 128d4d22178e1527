import { Button, Group } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link, NavLink, Outlet, useLocation, useOutletContext, useParams } from 'react-router'
import { dsync, useData } from '../../../api/queries.ts'
import type { Directory, Health } from '../../../api/types.ts'
import { useTexts } from '../../../texts/texts.ts'
import { usePartFocus } from '../../../ui/focus.ts'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { PageHeader } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { HealthStatus, Status } from '../../../ui/status.tsx'
import { ProviderName } from '../../provider-name.tsx'
import { TenantLink } from '../../tenant-link.tsx'

/** The directory that the page is about. */
export function useDirectory(): Directory {
  return useOutletContext<Directory>()
}

/** The path of the directory in the API. */
export function useDirectoryPath(): string {
  return `${dsync}/${useDirectory().id}`
}

/** One directory, with its parts as tabs. */
export function DirectoryPage() {
  const { directoryId = '' } = useParams()
  const directory = useData<Directory>(`${dsync}/${directoryId}`)
  return <Loaded query={directory}>{(found) => <OneDirectory directory={found} />}</Loaded>
}

function OneDirectory({ directory }: { readonly directory: Directory }) {
  const texts = useTexts()
  const health = useData<Health>(`${dsync}/${directory.id}/health`, {}, { every: 15_000 })
  const { tabs } = texts.directory
  const part = usePartFocus()
  const isPulled = directory.type === 'extdir'
  const parts: readonly Part[] = [
    { to: '.', label: tabs.health },
    { to: 'users', label: tabs.users },
    { to: 'groups', label: tabs.groups },
    { to: 'roles', label: tabs.roles },
    ...(isPulled ? [{ to: 'sync-runs', label: tabs.sync }] : [{ to: 'requests', label: tabs.requests }]),
    { to: 'events', label: tabs.events },
    { to: 'deliveries', label: tabs.deliveries },
    { to: 'dead-events', label: tabs.dead, count: health.data?.delivery?.dead_events },
    { to: 'hold', label: tabs.hold },
    { to: 'resync', label: tabs.resync },
    ...(isPulled ? [] : [{ to: 'oauth-clients', label: tabs.clients }]),
    { to: 'settings', label: tabs.settings },
  ]
  return (
    <>
      <PageHeader
        title={directory.name}
        above={
          <Link to="/directories" className="back">
            {texts.directory.all}
          </Link>
        }
        description={
          <Group gap="xs">
            <span>
              <ProviderName type={directory.type} /> · <TenantLink tenant={directory.tenant} /> ·{' '}
              <Name>{directory.product}</Name>
            </span>
            {directory.deactivated ? (
              <Status tone="neutral" icon="pause" text={texts.directories.deactivated} />
            ) : health.data === undefined ? null : (
              <HealthStatus state={health.data.state} />
            )}
          </Group>
        }
        actions={
          <Button
            component={Link}
            to={`/explain?directoryId=${directory.id}`}
            variant="default"
            size="xs"
            leftSection={<Icon name="explain" />}
          >
            {texts.directory.explain}
          </Button>
        }
      />
      <Tabs parts={parts} />
      <div ref={part} tabIndex={-1} className="part">
        <Outlet context={directory} />
      </div>
    </>
  )
}

interface Part {
  readonly to: string
  readonly label: string
  readonly count?: number | undefined
}

/** The parts of the directory; on a narrow page, the present one is scrolled into view. */
function Tabs({ parts }: { readonly parts: readonly Part[] }) {
  const texts = useTexts()
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is active when the path changes
  useEffect(() => {
    const active = nav.current?.querySelector<HTMLElement>('.active')
    if (active) nav.current?.scrollTo({ left: active.offsetLeft - 40 })
  }, [pathname])
  return (
    <nav ref={nav} className="tabs" aria-label={texts.directory.parts}>
      {parts.map(({ to, label, count }) => (
        <NavLink key={to} to={to} end={to === '.'} className="tab" preventScrollReset>
          {label}
          {count === undefined || count === 0 ? null : <span className="tab-count">{count}</span>}
        </NavLink>
      ))}
    </nav>
  )
}

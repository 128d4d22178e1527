import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  Progress,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { basePath } from '../api/http.ts'
import { loadPart } from '../api/loading.ts'
import { useTexts } from '../texts/texts.ts'
import type { IconName } from '../ui/icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { Logo } from '../ui/logo.tsx'
import { NetworkNotice } from '../ui/network-notice.tsx'
import { Account } from './account.tsx'
import { SearchBox } from './search-box.tsx'
import { useSession } from './session.tsx'

/** Nothing on the overview makes a notice: it does not load them. */
const Notices = lazy(async () => ({ default: (await loadPart(() => import('./notices.tsx'))).Notices }))

/** The frame of every page: the navigation, the search and the session. */
export function Shell() {
  const texts = useTexts()
  const [opened, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const mayNotify = useRef(false)
  mayNotify.current ||= pathname !== '/'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header className="shell-header">
        <a href="#content" className="skip-link">
          {texts.shell.skip}
        </a>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={texts.shell.menu}
            aria-expanded={opened}
          />
          <Link to="/" className="brand" aria-label="Rollcall">
            <Logo />
            <Text fw={700} visibleFrom="sm">
              Rollcall
            </Text>
          </Link>
          <SearchBox />
          <ColourSwitch />
          <Account />
        </Group>
        {state === 'loading' ? (
          <Progress
            value={100}
            animated
            size={2}
            radius={0}
            className="page-progress"
            aria-label={texts.states.loading}
          />
        ) : null}
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.shell.navigation} className="shell-navbar">
        <Navigation />
      </AppShell.Navbar>
      <Suspense>{mayNotify.current ? <Notices /> : null}</Suspense>
      <AppShell.Main id="content" tabIndex={-1}>
        <NetworkNotice {...texts.states} />
        <div className="page">
          <Suspense>
            <Outlet />
          </Suspense>
        </div>
      </AppShell.Main>
    </AppShell>
  )
}

function Navigation() {
  const texts = useTexts()
  const { version } = useSession()
  return (
    <>
      <AppShell.Section grow>
        <Place to="/" icon="overview" label={texts.shell.overview} />
        <Place to="/directories" icon="directory" label={texts.shell.directories} />
        <Place to="/explain" icon="explain" label={texts.shell.explain} />
        <Place to="/dead-events" icon="event" label={texts.dead.title} />
        <Place to="/refused-requests" icon="request" label={texts.refused.title} />
        <Place to="/setup-links" icon="link" label={texts.shell.setupLinks} />
        <Text size="xs" c="dimmed" fw={600} mt="lg" mb={4} px="sm">
          {texts.shell.manage}
        </Text>
        <Place to="/keys" icon="key" label={texts.shell.keys} />
        <Place to="/admins" icon="admin" label={texts.shell.admins} />
        <Place to="/privacy" icon="user" label={texts.shell.privacy} />
        <Place to="/audit" icon="audit" label={texts.shell.audit} />
        <Place to="/configuration" icon="settings" label={texts.shell.configuration} />
      </AppShell.Section>
      <AppShell.Section>
        <NavLink
          href={`${basePath()}/docs`}
          label={texts.shell.reference}
          leftSection={<Icon name="external" size={18} />}
          className="place"
        />
        <Text size="xs" c="dimmed" px="sm" pt={4}>
          Rollcall {version}
        </Text>
      </AppShell.Section>
    </>
  )
}

function Place({ to, icon, label }: { readonly to: string; readonly icon: IconName; readonly label: string }) {
  const { pathname } = useLocation()
  const isActive = to === '/' ? pathname === '/' : pathname.startsWith(to)
  return (
    <NavLink
      component={Link}
      to={to}
      label={label}
      leftSection={<Icon name={icon} size={18} />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      className="place"
    />
  )
}

function ColourSwitch() {
  const texts = useTexts()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const label = scheme === 'light' ? texts.shell.toDark : texts.shell.toLight
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(scheme === 'light' ? 'dark' : 'light')}
    >
      <Icon name={scheme === 'light' ? 'moon' : 'sun'} size={18} />
    </ActionIcon>
  )
}

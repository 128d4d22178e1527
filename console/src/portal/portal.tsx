import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Container,
  Group,
  Loader,
  NativeSelect,
  Stack,
  Text,
  Title,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiError } from '../api/http.ts'
import { loadPart } from '../api/loading.ts'
import { Icon } from '../ui/icons.tsx'
import { isolated } from '../ui/isolated.ts'
import { Name } from '../ui/name.tsx'
import { NetworkNotice } from '../ui/network-notice.tsx'
import { localTime } from '../ui/times.ts'
import type { PortalDirectory, PortalHealth, PortalState } from './api.ts'
import { AttributeList } from './attributes.tsx'
import { ProviderChoice } from './choose.tsx'
import { page } from './early.ts'
import type { Guide, SignIn } from './guide.ts'
import { signInNames } from './guide.ts'
import { guideFor } from './guides.ts'
import { Health, HealthState, useHealth } from './health.tsx'
import { forgetSecret, keepClientSecret, keepSecret, keptSecret } from './kept-secret.ts'
import type { Language } from './languages.ts'
import { languages } from './languages.ts'
import { NoticeText, ReturnLink } from './notice.tsx'
import { Steps } from './steps.tsx'
import { session } from './storage.ts'
import { useTexts } from './texts/use-texts.tsx'
import { Values } from './values.tsx'

/** Only some providers have a choice, and only some links have roles; the others do not load them. */
const SignInChoice = lazy(async () => ({ default: (await loadPart(() => import('./sign-in.tsx'))).SignInChoice }))
const GoogleConnection = lazy(async () => ({
  default: (await loadPart(() => import('./google.tsx'))).GoogleConnection,
}))
const Roles = lazy(async () => ({ default: (await loadPart(() => import('./roles/roles.tsx'))).Roles }))
const OAuthValues = lazy(async () => ({ default: (await loadPart(() => import('./oauth-values.tsx'))).OAuthValues }))

/** The page behind a setup link, for the customer's administrator. */
export function Portal({ state }: { readonly state: UseQueryResult<PortalState> }) {
  const { texts } = useTexts()
  return (
    <Container size="lg" py="xl" px="md">
      <NetworkNotice {...texts} />
      <PageHeader state={state.data} />
      <main className="portal-main">
        {page.notice !== null || state.data === undefined ? (
          <NotLoaded state={state} />
        ) : (
          <Content state={state.data} />
        )}
      </main>
    </Container>
  )
}

function PageHeader({ state }: { readonly state: PortalState | undefined }) {
  const portal = state?.portal ?? page.portal
  const logo = portal.logo_url
  return (
    <Group component="header" justify="space-between" mb="lg" wrap="nowrap">
      <Stack gap={2} align="flex-start">
        {logo ? (
          <img className="portal-logo" src={logo} alt={productOf(state)} />
        ) : (
          <Text fw={650} className="portal-product">
            <Name>{portal.name ?? state?.product ?? ''}</Name>
          </Text>
        )}
        {state === undefined ? null : <ReturnLink portal={portal} />}
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <LanguageSwitch />
        <SchemeSwitch />
      </Group>
    </Group>
  )
}

/** The name under which the administrator knows the product. */
function productOf(state: PortalState | undefined): string {
  return isolated(page.portal.name ?? state?.product ?? '')
}

function LanguageSwitch() {
  const { language, texts, choose } = useTexts()
  const data = Object.entries(languages).map(([value, { label }]) => ({ value, label }))
  return (
    <NativeSelect
      size="xs"
      w={110}
      aria-label={texts.switchLanguage}
      data={data}
      value={language}
      onChange={({ currentTarget: { value } }) => choose(value as Language)}
    />
  )
}

function SchemeSwitch() {
  const { texts } = useTexts()
  const { setColorScheme } = useMantineColorScheme()
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon variant="default" size="md" aria-label={texts.switchScheme[next]} onClick={() => setColorScheme(next)}>
      <Icon name={next === 'dark' ? 'moon' : 'sun'} />
    </ActionIcon>
  )
}

function NotLoaded({ state }: { readonly state: UseQueryResult<PortalState> }) {
  const { texts } = useTexts()
  const { notice } = page
  const { status = 0, requestId } = state.error instanceof ApiError ? state.error : {}
  const kind = status === 404 || status === 410 ? 'link-gone' : notice?.kind
  const title = kind === undefined || kind === 'failed' ? texts.failed : texts.notices[kind].title
  const isLoading = kind === undefined && state.error === null
  useEffect(() => {
    if (!isLoading) document.title = title
  }, [title, isLoading])
  if (kind !== undefined && kind !== 'failed') {
    return <NoticeText kind={kind} detail={notice?.hasDetail ? notice.text : undefined} />
  }
  if (isLoading) return <Loader aria-label={texts.loading} />
  return (
    <Alert color="red" title={texts.failed} icon={<Icon name="warning" size={20} />}>
      <Stack align="flex-start" gap="xs">
        {requestId === undefined ? null : <Text size="sm">{texts.requestId(requestId)}</Text>}
        <Button
          size="xs"
          variant="default"
          onClick={() => (kind === undefined ? void state.refetch() : location.reload())}
        >
          {texts.retry}
        </Button>
      </Stack>
    </Alert>
  )
}

function Content({ state }: { readonly state: PortalState }) {
  const { texts, language } = useTexts()
  const client = useQueryClient()
  const product = productOf(state)
  useEffect(() => {
    document.title = texts.title(product)
  }, [texts, product])
  const changed = (after: PortalState) => {
    if (after.secret && after.directory?.scim_endpoint) keepSecret(after.directory.scim_endpoint, after.secret)
    if (after.created?.client_secret) keepClientSecret(after.created.client_id, after.created.client_secret)
    client.setQueryData(['setup'], after)
    void client.invalidateQueries({ queryKey: ['health'] })
  }
  return (
    <Stack gap="xl">
      <div>
        <Title order={1}>{texts.title(product)}</Title>
        {state.directory?.google?.is_scheduled === false ? null : <Text mt={6}>{texts.lead(product)}</Text>}
        <Text size="sm" c="dimmed" mt={4}>
          {texts.validUntil(localTime(state.expires_at, language))}
        </Text>
      </div>
      {state.directory === null ? (
        <ProviderChoice types={state.types} onChange={changed} />
      ) : (
        <Setup state={{ ...state, directory: state.directory }} product={product} onChange={changed} />
      )}
    </Stack>
  )
}

interface SetupProps {
  readonly state: PortalState & { readonly directory: NonNullable<PortalState['directory']> }
  readonly product: string
  readonly onChange: (after: PortalState) => void
}

/** The guide, and what has arrived. */
function Setup({ state, product, onChange }: SetupProps) {
  const { directory, types, portal, roles } = state
  const { texts } = useTexts()
  const [isChoosing, setChoosing] = useState(false)
  const guide = guideFor(directory.type)
  const { data: health } = useHealth()
  const [chosen, setSignIn] = useSignIn(directory)
  const signIn = guide.signIns === undefined ? 'token' : (chosen ?? presentSignIn(guide.signIns, directory, health))
  if (isChoosing) {
    return (
      <ProviderChoice
        types={types}
        present={directory.type}
        onChange={(after) => {
          setChoosing(false)
          onChange(after)
        }}
        onCancel={() => setChoosing(false)}
      />
    )
  }
  return (
    <>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2}>{providerName(directory)}</Title>
          <HealthState guide={guide} />
        </Group>
        <Group gap="md">
          {roles.length === 0 ? null : (
            <Anchor href="#roles" size="sm">
              {texts.roles.jump}
            </Anchor>
          )}
          {types.length > 1 ? (
            <Anchor component="button" type="button" size="sm" onClick={() => setChoosing(true)}>
              {texts.choose.change}
            </Anchor>
          ) : null}
        </Group>
      </Group>
      {directory.deactivated ? <Alert color="yellow">{texts.health.deactivated}</Alert> : null}
      <div className="portal-columns">
        <Stack gap="xl">
          {guide.signIns === undefined ? null : (
            <Suspense>
              <SignInChoice guide={guide} directory={directory} signIn={signIn} onChoose={setSignIn} />
            </Suspense>
          )}
          {directory.google === null ? (
            <ValuesFor signIn={signIn} guide={guide} directory={directory} onChange={onChange} />
          ) : null}
          <Steps
            key={directory.type}
            guide={guide}
            provider={providerName(directory)}
            product={product}
            endpoint={directory.scim_endpoint ?? ''}
            tokenEndpoint={directory.oauth?.token_endpoint ?? ''}
            signIn={signIn}
            listedIn={portal.listed_in}
          />
          {directory.google === null ? (
            <AttributeList guide={guide} />
          ) : (
            <Suspense>
              <GoogleConnection google={directory.google} product={product} onChange={onChange} />
            </Suspense>
          )}
          {roles.length === 0 ? null : (
            <Suspense>
              <Roles roles={roles} product={product} />
            </Suspense>
          )}
        </Stack>
        <aside>
          <Health guide={guide} />
        </aside>
      </div>
    </>
  )
}

/** The way to sign in that was chosen in this tab. */
function useSignIn({ scim_endpoint: endpoint }: PortalDirectory) {
  const key = `rollcall-portal-sign-in ${endpoint}`
  const [chosen, setChosen] = useState(() => session.get(key))
  const choose = (signIn: SignIn) => {
    session.set(key, signIn)
    setChosen(signIn)
  }
  return [signInNames.find((name) => name === chosen), choose] as const
}

/** The name of the provider, without the protocol. */
function providerName({ label }: PortalDirectory): string {
  return label.replace(/ SCIM v2\.0$/, '')
}

/** The way in which the provider signs in already, or else the recommended one. */
function presentSignIn(
  [recommended = 'token']: readonly SignIn[],
  { oauth }: PortalDirectory,
  health: PortalHealth | undefined,
): SignIn {
  const isTokenInUse = health !== undefined && health.last_request_at !== null && oauth?.is_required !== true
  return oauth?.clients[0]?.type ?? (isTokenInUse ? 'token' : recommended)
}

/** The values for a way to sign in. */
function ValuesFor({ signIn, ...props }: KeptValuesProps & { readonly signIn: SignIn }) {
  const { oauth } = props.directory
  if (signIn === 'token' || oauth === null) return <KeptValues {...props} />
  return (
    <Suspense>
      <OAuthValues key={signIn} type={signIn} oauth={oauth} {...props} />
    </Suspense>
  )
}

interface KeptValuesProps {
  readonly guide: Guide
  readonly directory: PortalDirectory
  readonly onChange: (after: PortalState) => void
}

/** The values to copy, with the secret until the administrator has stored it, or closes the tab. */
function KeptValues({ guide, directory, onChange }: KeptValuesProps) {
  const [stored, setStored] = useState<string | null>(null)
  const secret = keptSecret(directory)
  const onStored = () => {
    forgetSecret()
    setStored(secret)
  }
  const shown = secret === stored ? null : secret
  return <Values guide={guide} directory={directory} secret={shown} onChange={onChange} onStored={onStored} />
}

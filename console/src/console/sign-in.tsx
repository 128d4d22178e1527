import {
  Alert,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { basePath } from '../api/http.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from '../ui/icons.tsx'
import { Logo } from '../ui/logo.tsx'
import type { Credentials } from './session.tsx'
import { rememberPage } from './session.tsx'

interface SignInProps {
  readonly signIn: (credentials: Credentials) => Promise<void>
  /** Why a sign-in link did not work. */
  readonly message: string | undefined
  readonly hasEnded: boolean
  /** The host of the identity provider with which admins sign in; undefined if none is configured. */
  readonly provider: string | undefined
}

export function SignIn({ signIn, message, hasEnded, provider }: SignInProps) {
  const texts = useTexts()
  const [kind, setKind] = useState<'key' | 'admin'>('key')
  const [values, setValues] = useState({ key: '', email: '', rootToken: '' })
  const [error, setError] = useState(message)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    document.title = `${texts.signIn.submit} · Rollcall`
  }, [texts])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    const { key, email, rootToken } = values
    const credentials = kind === 'key' ? { api_key: key.trim() } : { email: email.trim(), root_token: rootToken.trim() }
    try {
      await signIn(credentials)
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
      setBusy(false)
    }
  }
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    required: true,
    withAsterisk: false,
  })

  return (
    <Center mih="100dvh" p="md" component="main" className="sign-in">
      <Paper withBorder p="xl" w={420} maw="100%" radius="lg">
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="md">
            <Stack gap={6}>
              <Logo size={36} />
              <Title order={1} mt="xs">
                {texts.signIn.title}
              </Title>
              <Text size="sm" c="dimmed">
                {texts.signIn.intro}
              </Text>
            </Stack>
            {hasEnded && error === undefined ? <Alert color="gray">{texts.signIn.ended}</Alert> : null}
            {provider === undefined ? null : (
              <>
                <Button
                  component="a"
                  href={`${basePath()}/console/oidc/login`}
                  onClick={rememberPage}
                  fullWidth
                  h="auto"
                  mih={36}
                  py={6}
                  styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
                >
                  {texts.signIn.withProvider(providerName(provider))}
                </Button>
                <Divider label={texts.signIn.or} />
              </>
            )}
            <SegmentedControl
              value={kind}
              onChange={(value) => setKind(value === 'key' ? 'key' : 'admin')}
              data={[
                { value: 'key', label: texts.signIn.withKey },
                { value: 'admin', label: texts.signIn.asAdmin },
              ]}
              fullWidth
            />
            {kind === 'key' ? (
              <PasswordInput
                label={texts.signIn.key}
                description={texts.signIn.keyHint}
                autoComplete="off"
                {...field('key')}
              />
            ) : (
              <>
                <TextInput
                  type="email"
                  label={texts.signIn.email}
                  description={texts.signIn.emailHint}
                  autoComplete="username"
                  {...field('email')}
                />
                <PasswordInput
                  label={texts.signIn.rootToken}
                  description={texts.signIn.rootTokenHint}
                  autoComplete="current-password"
                  {...field('rootToken')}
                />
              </>
            )}
            {error === undefined ? null : (
              <Alert color="red" icon={<Icon name="warning" />} role="alert">
                {error}
              </Alert>
            )}
            <Button type="submit" variant={provider === undefined ? 'filled' : 'default'} loading={isBusy} fullWidth>
              {texts.signIn.submit}
            </Button>
            <Text size="xs" c="dimmed">
              {texts.signIn.tip}
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  )
}

/** The name that people know, of the identity providers that have one host for all companies. */
function providerName(host: string): string {
  if (host === 'login.microsoftonline.com') return 'Microsoft'
  if (host === 'accounts.google.com') return 'Google'
  return /\.okta(preview)?\.com$/.test(host) ? 'Okta' : host
}

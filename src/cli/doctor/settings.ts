import type { Settings } from '../../app/settings.ts'
import { isBehindUntrustedProxy, readSettings, SettingsError } from '../../app/settings.ts'
import type { Check } from './check.ts'
import { fail, ok, warn } from './check.ts'

/** The settings, undefined if they are invalid, and the results of the check. */
export function checkSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly settings: Settings | undefined
  readonly checks: readonly Check[]
} {
  try {
    const settings = readSettings(env)
    return {
      settings,
      checks: [ok('settings', 'valid'), checkAddress(settings), ...checkProxy(settings), ...checkGoogle(settings)],
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const advice = 'docs/configuration.md describes every setting.'
    return { settings: undefined, checks: error.problems.map((problem) => fail('settings', problem, advice)) }
  }
}

function checkAddress({ EXTERNAL_URL, PORT }: Settings): Check {
  if (EXTERNAL_URL === undefined) {
    const message = `EXTERNAL_URL is not set, so identity providers are given http://localhost:${PORT}`
    return warn('address', message, 'Set EXTERNAL_URL to the https address under which they can reach the service.')
  }
  const { protocol, hostname } = new URL(EXTERNAL_URL)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || isLocal
    ? ok('address', EXTERNAL_URL)
    : warn(
        'address',
        `${EXTERNAL_URL} is not encrypted`,
        'Put a proxy with TLS in front, and set EXTERNAL_URL to its https address.',
      )
}

/** Checks the proxy: Rollcall speaks HTTP, so an https address is that of a proxy. */
function checkProxy(settings: Settings): Check[] {
  if (!isBehindUntrustedProxy(settings)) return []
  const message = 'EXTERNAL_URL is the address of a proxy, and TRUST_PROXY is not set: all clients count as one address'
  const advice = 'Set TRUST_PROXY to the addresses of the proxy, or to 1 if clients cannot bypass it.'
  return [warn('proxy', message, advice)]
}

/** Checks Google Workspace, if it is configured: service accounts need no settings. */
function checkGoogle(settings: Settings): Check[] {
  const { DSYNC_EXTDIR_CLIENT_ID: clientId, DSYNC_EXTDIR_CRON_INTERVAL: interval, EXTERNAL_URL = '' } = settings
  if (clientId === undefined) return []
  const redirect = `${EXTERNAL_URL}/api/scim/oauth/callback`
  if (!clientId.endsWith('.apps.googleusercontent.com')) {
    const advice = 'Copy the client ID of the OAuth client from the Google Cloud console.'
    return [warn('google', 'DSYNC_EXTDIR_CLIENT_ID does not look like a client ID of Google', advice)]
  }
  if (!/^https:|^http:\/\/localhost[:/]/.test(redirect)) {
    const advice = 'Set EXTERNAL_URL to an https address: Google accepts no other, except for http://localhost.'
    return [fail('google', `Google does not accept the redirect URI ${redirect}`, advice)]
  }
  const syncs = interval === 0 ? 'directories are synced only on request' : `directories are synced every ${interval} s`
  return [ok('google', `redirect URI ${redirect}; ${syncs}`)]
}

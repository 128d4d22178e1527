import { newEndpointSecret } from '../delivery/endpoint/signature.ts'
import type { DirectoryHealth } from '../diagnostics/health/health.ts'
import type { LoggedRequests } from '../diagnostics/requests/listing.ts'
import { newSecret } from '../directory/secret.ts'
import type { Authorization } from '../google/authorization/consent.ts'
import type { Portal } from '../setup/portal.ts'
import { createPortal } from '../setup/portal.ts'
import type { RefusedRequest } from '../setup/portal-health.ts'
import type { SetupLinks } from '../setup/setup-links.ts'
import { createSetupLinks } from '../setup/setup-links.ts'
import type { Core, CoreOptions } from './core.ts'

/** What the setup portal shows of. */
export interface SetupSources {
  readonly authorization: Authorization
  readonly health: DirectoryHealth
  readonly requestLog: LoggedRequests
}

/** Setup links, and what their holders may do. */
export async function openSetup(
  core: Core,
  options: Pick<CoreOptions, 'settings' | 'externalUrl'>,
  sources: SetupSources,
): Promise<{ readonly setupLinks: SetupLinks; readonly portal: Portal }> {
  return { setupLinks: await openSetupLinks(core, options.externalUrl), portal: openPortal(core, options, sources) }
}

async function openSetupLinks(core: Core, externalUrl: () => string): Promise<SetupLinks> {
  const { store, audited, checkEndpointUrl, newId, clock } = core
  const key = await store.getOrCreateSecret('setup-links', newSecret())
  const getDirectory = (id: string) => store.getDirectory(id)
  const parts = { store, getDirectory, audited, key, externalUrl, newEndpointSecret, checkEndpointUrl, newId, clock }
  return createSetupLinks(parts)
}

function openPortal(
  { store, directories }: Core,
  { settings, externalUrl }: Pick<CoreOptions, 'settings' | 'externalUrl'>,
  { authorization, health, requestLog }: SetupSources,
): Portal {
  const branding = {
    name: settings.PORTAL_NAME ?? null,
    logo_url: settings.PORTAL_LOGO_URL ?? null,
    color: settings.PORTAL_COLOR ?? null,
  }
  const isInUse = async (id: string) => (await store.countUsers(id)) + (await store.countGroups(id)) > 0
  const observed = (id: string) => health.get(id)
  const lastRefused = (id: string) => lastRefusedRequest(requestLog, id)
  return createPortal({ store, directories, authorization, observed, lastRefused, isInUse, branding, externalUrl })
}

async function lastRefusedRequest(
  requestLog: LoggedRequests,
  directoryId: string,
): Promise<RefusedRequest | undefined> {
  const page = await requestLog.list(directoryId, { status: 'refused', pageLimit: 1 })
  if (!('rows' in page)) return undefined
  const [text] = page.rows
  return text === undefined ? undefined : (JSON.parse(text) as RefusedRequest)
}

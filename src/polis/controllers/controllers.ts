import type { RollcallEvent } from '../../webhooks/event.ts'
import { polisProviders } from '../compat/directories.ts'
import { polisEvent } from '../compat/events.ts'
import { directoriesController } from './directories.ts'
import { eventsController, webhookLogsController } from './events.ts'
import { googleController } from './google.ts'
import type { ControllerParts } from './parts.ts'
import { groupsController, usersController } from './resources.ts'
import { notOffered, thrown } from './response.ts'
import { setupLinksController } from './setup-links.ts'
import type { DirectorySyncEvent, DirectorySyncRequest, DirectorySyncResponse, EventCallback } from './types.ts'

export type IDirectorySyncController = ReturnType<typeof directorySyncController>
export type ISetupLinkController = ReturnType<typeof setupLinksController>

/** The controllers of single sign-on in Polis, which Rollcall does not have. */
const notOfferedControllers = [
  ...['apiController', 'connectionAPIController', 'oauthController', 'adminController', 'logoutController'],
  ...['oidcDiscoveryController', 'spConfig', 'identityFederationController', 'brandingController', 'productController'],
]

/** The controllers of Polis' library for directory sync. */
export function createControllers(parts: ControllerParts) {
  const made = {
    directorySyncController: directorySyncController(parts),
    setupLinkController: setupLinksController(parts),
    checkLicense: async (): Promise<boolean> => true,
    /** Finishes the deliveries in flight, then closes the database. */
    close: () => parts.rollcall.close(),
    /** The library of Rollcall, for what Polis does not have. */
    rollcall: parts.rollcall,
  }
  for (const name of notOfferedControllers)
    Object.defineProperty(made, name, { get: () => notOffered(name, 'it has no single sign-on. Keep Polis for that.') })
  return made
}

function directorySyncController(parts: ControllerParts) {
  const { service } = parts
  return {
    directories: directoriesController(parts),
    users: usersController(parts),
    groups: groupsController(parts),
    webhookLogs: webhookLogsController(parts),
    events: eventsController(parts),
    google: googleController(parts),
    requests: { handle: (request: DirectorySyncRequest, callback?: EventCallback) => handle(parts, request, callback) },
    providers: (): { [type: string]: string } => ({ ...polisProviders }),
    /** Syncs every directory of Google and resolves once all syncs have ended. */
    async sync(): Promise<void> {
      const { started } = await thrown(() => service.syncRuns.startAll({ trigger: 'library' }))
      await Promise.all(started.map(({ ended }) => ended))
    },
  }
}

/** The event as Polis passes it to a callback. */
export function toPolisEvent(event: RollcallEvent): DirectorySyncEvent {
  return polisEvent({ ...event }) as unknown as DirectorySyncEvent
}

async function handle(
  { rollcall }: ControllerParts,
  { body, apiSecret, ...request }: DirectorySyncRequest,
  callback: EventCallback | undefined,
): Promise<DirectorySyncResponse> {
  const onEvent = callback && ((event: RollcallEvent) => callback(toPolisEvent(event)))
  const sent = typeof body === 'string' ? parsed(body) : body
  const { status, data } = await rollcall.requests.handle(
    { ...request, body: sent, apiSecret: apiSecret ?? undefined },
    onEvent,
  )
  return data === null ? { status } : { status, data }
}

/** A body that is no JSON stays a text, which the request is refused for. */
function parsed(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

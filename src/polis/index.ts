import { requireNode } from '../node-version.ts'
import type { JacksonOption, SAMLJackson } from './controllers/open.ts'

export type { IDirectorySyncController, ISetupLinkController } from './controllers/controllers.ts'
export type { JacksonOption, SAMLJackson } from './controllers/open.ts'
export { PolisError } from './controllers/response.ts'
export type {
  ApiError,
  Directory,
  DirectorySyncEvent,
  DirectorySyncEventType,
  DirectorySyncRequest,
  DirectorySyncResponse,
  DirectoryType,
  EventCallback,
  Group,
  GroupMembership,
  PaginationParams,
  Response,
  SetupLink,
  SetupLinkCreatePayload,
  User,
  UserWithGroup,
  WebhookEventLog,
} from './controllers/types.ts'

requireNode('rollcall/polis')

/**
 * Opens Rollcall's library with the options, the controllers and the answers of Polis' library.
 *
 * @throws Error when an option is missing or the database cannot be opened
 */
export async function controllers(options: JacksonOption): Promise<SAMLJackson> {
  return (await import('./controllers/open.ts')).controllers(options)
}

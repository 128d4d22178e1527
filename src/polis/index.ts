export type { SAMLJackson } from '../app/polis-controllers.ts'
export { controllers } from '../app/polis-controllers.ts'
export type { JacksonOption } from '../app/polis-options.ts'
export type { IDirectorySyncController, ISetupLinkController } from './controllers/controllers.ts'
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

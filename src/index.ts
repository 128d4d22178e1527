export type { OnEvent } from './delivery/callback-sender.ts'
export type { DeliveryView } from './delivery/log/answer.ts'
export type { DirectoryEventPayload } from './delivery/payload.ts'
export type { ResyncView } from './delivery/resync/control.ts'
export type { DirectoryView } from './directory/directory-view.ts'
export type { EventType } from './directory/event.ts'
export type {
  FeedAnswer,
  FeedQuery,
  GroupAnswer,
  GroupWithMembersAnswer,
  HandleRequest,
  ListQuery,
  Result,
  Rollcall,
  RollcallError,
  RollcallOptions,
  UserAnswer,
} from './library/library.ts'
export { createRollcall } from './library/library.ts'

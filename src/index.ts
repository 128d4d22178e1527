export type { EmbeddedRollcall } from './app/embedded.ts'
export { createRollcall } from './app/embedded.ts'
export type { RequestInfo, WebHandler } from './app/web-handler.ts'
export type { FieldProblem, RollcallErrorCode } from './client/error.ts'
export { RollcallError } from './client/error.ts'
export type { OnEvent } from './delivery/callback-sender.ts'
export type { DeliveryView } from './delivery/log/entry.ts'
export type { ResyncView } from './delivery/resync/control.ts'
export type { Candidate, Explanation } from './diagnostics/explain/explanation.ts'
export type { RequestView } from './diagnostics/requests/view.ts'
export type { TimelineEntry } from './diagnostics/trace/timeline.ts'
export type { Trace } from './diagnostics/trace/trace.ts'
export type { DirectoryView } from './directory/directory-view.ts'
export type { EventType } from './directory/event.ts'
export type { FeedQuery, FeedResult } from './library/events.ts'
export type { HandleRequest, HandleResponse } from './library/handle-request.ts'
export type { RollcallOptions } from './library/options.ts'
export type { ListQuery } from './library/parts.ts'
export type { RequestQuery, TraceQuery } from './library/requests.ts'
export type { Result } from './library/result.ts'
export type { Rollcall } from './library/rollcall.ts'
export type {
  GroupFilters,
  GroupView,
  GroupWithMembersView,
  TimelineQuery,
  UserFilters,
  UserView,
} from './library/users-and-groups.ts'
export type { EventOf, RollcallEvent } from './webhooks/event.ts'

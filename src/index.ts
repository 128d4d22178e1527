import type { EmbeddedRollcall } from './app/embedded.ts'
import type { RollcallOptions } from './library/options.ts'
import { requireNode } from './node-version.ts'

export type { EmbeddedRollcall } from './app/embedded.ts'
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

requireNode('rollcall')

/**
 * Opens the database and starts the delivery of events, without an HTTP server.
 *
 * @throws Error when a required option is missing, an option is unknown, or the database cannot be opened
 */
export async function createRollcall(options: RollcallOptions): Promise<EmbeddedRollcall> {
  return (await import('./app/embedded.ts')).createRollcall(options)
}

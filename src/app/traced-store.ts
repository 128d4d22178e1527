import type { ResyncRequest } from '../delivery/resync/resync.ts'
import type { DirectoryRevision } from '../directory/directory.ts'
import type { Cause } from '../directory/event.ts'
import type { Store } from '../store/store.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** Wraps a store: each commit of events has a span, whose context is stored with the events. */
export function tracedStore(store: Store, { commit }: Tracing): Store {
  /** An operation whose last argument is the cause of the change. */
  function traced<Args extends readonly [DirectoryRevision, ...unknown[], Cause], Result>(
    name: string,
    operation: (...args: Args) => Promise<Result>,
  ) {
    return (...args: Args): Promise<Result> => {
      const cause = args.at(-1) as Cause
      return commit(name, args[0].id, cause.requestId, (traceContext) =>
        operation(...(args.with(-1, { ...cause, traceContext }) as unknown as Args)),
      )
    }
  }
  /** An operation that begins a resync. All of its events have the context of its beginning. */
  function tracedResync<Rest extends unknown[], Result>(
    name: string,
    operation: (request: ResyncRequest, ...rest: Rest) => Promise<Result>,
  ) {
    return (request: ResyncRequest, ...rest: Rest): Promise<Result> =>
      commit(name, request.directoryId, request.requestId, (traceContext) =>
        operation({ ...request, traceContext }, ...rest),
      )
  }
  return {
    ...store,
    createUser: traced('createUser', store.createUser),
    replaceUser: traced('replaceUser', store.replaceUser),
    deleteUser: traced('deleteUser', store.deleteUser),
    createGroup: traced('createGroup', store.createGroup),
    replaceGroup: traced('replaceGroup', store.replaceGroup),
    changeMembers: traced('changeMembers', store.changeMembers),
    deleteGroup: traced('deleteGroup', store.deleteGroup),
    beginResync: tracedResync('beginResync', store.beginResync),
    discardHold: tracedResync('discardHold', store.discardHold),
  }
}

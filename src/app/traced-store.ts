import type { DirectoryRevision } from '../directory/directory.ts'
import type { Cause } from '../directory/event.ts'
import type { ProvisioningStore } from '../directory/store.ts'
import type { Tracing } from '../tracing.ts'

/** The store with a span for each commit of users and groups. */
export function tracedStore<S extends ProvisioningStore>(store: S, tracing: Tracing): S {
  function traced<Args extends readonly [DirectoryRevision, ...unknown[], Cause], Result>(
    name: string,
    operation: (...args: Args) => Promise<Result>,
  ) {
    return (...args: Args): Promise<Result> => {
      const { requestId } = args.at(-1) as Cause
      return tracing.commit(name, args[0].id, requestId, () => operation(...args))
    }
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
  }
}

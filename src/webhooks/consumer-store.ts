/** The progress of a consumer with the events of a directory. */
export interface Position {
  /** The sequence of the last processed event. */
  readonly sequence: number
  /** Its id. Without it, another event that has got the same sequence is taken for this one. */
  readonly eventId?: string | undefined
  /** The resync that has started and is not complete. */
  readonly syncId?: string | undefined
}

/** A user, group or member of a directory. */
export type ResourceKey =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'member'; readonly userId: string; readonly groupId: string }

/** Remembers the resources of directories, and the resync that last reported each. */
export interface ResourceMarks<Transaction> {
  /** Remembers a resource, with the resync that is in progress. */
  set(directoryId: string, resource: ResourceKey, syncId: string | undefined, transaction: Transaction): Promise<void>
  /** Forgets a resource; with a user or a group, also its members. */
  remove(directoryId: string, resource: ResourceKey, transaction: Transaction): Promise<void>
  /** The resources that this resync has not reported. */
  unmarked(directoryId: string, syncId: string, transaction: Transaction): Promise<readonly ResourceKey[]>
}

/** Stores the positions of a consumer, ideally in the database that the events change. */
export interface ConsumerStore<Transaction = void> {
  /** Runs work in a transaction: everything that it stores is committed together or, when it throws, not at all. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** The position in a directory. If several processes receive events, it is locked until the transaction ends. */
  readPosition(directoryId: string, transaction: Transaction): Promise<Position | undefined>
  writePosition(directoryId: string, position: Position, transaction: Transaction): Promise<void>
  /** Required by `onDrop`, which is called for resources that a resync has not reported. */
  readonly marks?: ResourceMarks<Transaction> | undefined
}

/** A store that keeps everything in memory, for tests and trials. */
export function memoryStore(): ConsumerStore {
  const positions = new Map<string, Position>()
  return {
    transaction: (work) => work(),
    readPosition: async (directoryId) => positions.get(directoryId),
    async writePosition(directoryId, position) {
      positions.set(directoryId, position)
    },
    marks: memoryMarks(),
  }
}

interface Mark {
  readonly resource: ResourceKey
  readonly syncId: string | undefined
}

function memoryMarks(): ResourceMarks<void> {
  const directories = new Map<string, Map<string, Mark>>()
  const marksOf = (directoryId: string) => {
    const marks = directories.get(directoryId) ?? new Map<string, Mark>()
    directories.set(directoryId, marks)
    return marks
  }
  return {
    async set(directoryId, resource, syncId) {
      marksOf(directoryId).set(JSON.stringify(resource), { resource, syncId })
    },
    async remove(directoryId, removed) {
      const marks = marksOf(directoryId)
      marks.delete(JSON.stringify(removed))
      for (const [key, { resource }] of marks) if (belongsTo(resource, removed)) marks.delete(key)
    },
    async unmarked(directoryId, syncId) {
      const others = [...marksOf(directoryId).values()].filter((mark) => mark.syncId !== syncId)
      return others.map(({ resource }) => resource)
    },
  }
}

/** Returns whether a resource is a member of a group, or the membership of a user. */
function belongsTo(resource: ResourceKey, owner: ResourceKey): boolean {
  if (resource.kind !== 'member' || owner.kind === 'member') return false
  return owner.kind === 'user' ? resource.userId === owner.id : resource.groupId === owner.id
}

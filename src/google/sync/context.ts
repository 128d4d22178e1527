import type { Cause } from '../../directory/event.ts'
import { fold } from '../../scim/fold.ts'
import type { ReconcileParts } from './parts.ts'
import type { Seen } from './seen.ts'
import { createSeen } from './seen.ts'
import type { Write } from './writer.ts'
import { createWrite } from './writer.ts'

/** One reconcile at work. */
export interface Context extends ReconcileParts {
  readonly directoryId: string
  readonly write: Write
  /** Users and groups that Google has, and that are of the domain. */
  readonly seenUsers: Seen
  readonly seenGroups: Seen
  readonly cause: () => Cause
  /** Whether an e-mail address is of the domain that the directory shows. */
  readonly isInScope: (email: string) => boolean
  /** Counts a user or a group that is left out, once. */
  readonly leaveOut: (id: string) => void
  readonly remarks: Remarks
}

/** What a run has to say at its end. */
export interface Remarks {
  unreadableGroups: number
  removalsLeft: boolean
}

export function createContext(parts: ReconcileParts): Context {
  const { directory, runId, clock, tally } = parts
  const leftOut = createSeen()
  const domain = directory.google?.domain
  return {
    ...parts,
    directoryId: directory.id,
    write: createWrite(parts),
    seenUsers: createSeen(),
    seenGroups: createSeen(),
    cause: () => ({ requestId: runId, at: clock() }),
    isInScope: (email) => domain === undefined || fold(email).endsWith(`@${fold(domain)}`),
    leaveOut: (id) => {
      if (leftOut.add(id)) tally.count('skipped')
    },
    remarks: { unreadableGroups: 0, removalsLeft: false },
  }
}

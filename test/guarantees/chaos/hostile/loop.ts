import { setTimeout as pause } from 'node:timers/promises'
import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import type { Client } from '../../../support/client.ts'
import type { Attack, HostileKind, Memory } from './attacks.ts'

/** A hostile tenant and its directories. */
export interface HostileTenant {
  readonly kind: HostileKind
  readonly directories: readonly DirectoryView[]
}

/** The requests of hostile tenants, by their outcome. */
export interface HostileCounts {
  accepted: number
  rejected: number
  /** Statuses from 500 on. */
  unavailable: number
  unanswered: number
}

export interface LoopParts {
  readonly attack: Attack
  readonly directories: readonly DirectoryView[]
  readonly pick: () => Client | undefined
  readonly counts: HostileCounts
  readonly isOver: () => boolean
}

/** Time after which a loop aborts a request, in milliseconds. */
const tryMs = 5_000

/** The maximum number of requests of one loop. */
const maxRequests = 100_000

/** Sends requests one after the other until it is over. Never rejects. */
export async function runLoop({ attack, directories, pick, counts, isOver }: LoopParts): Promise<void> {
  const memories = new Map<string, Memory>()
  for (let n = 0; n < maxRequests && !isOver(); n += 1) {
    const directory = directories[n % directories.length]
    const client = pick()
    if (directory !== undefined && client !== undefined) {
      const memory = memories.get(directory.id) ?? { userIds: [], groupId: undefined }
      memories.set(directory.id, memory)
      const turn = { directory, client, n: Math.floor(n / directories.length) }
      const sent = attack.send(turn, memory).catch(() => undefined)
      count(counts, await Promise.race([sent, pause(tryMs, undefined)]))
    }
    await pause(attack.pauseMs)
  }
}

function count(counts: HostileCounts, status: number | undefined): void {
  if (status === undefined) counts.unanswered += 1
  else if (status >= 500) counts.unavailable += 1
  else if (status >= 400) counts.rejected += 1
  else counts.accepted += 1
}

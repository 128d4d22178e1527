import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import type { OperatorNotices } from '../../directory/operator-notice.ts'
import type { DeliveryLogger } from '../observer.ts'
import type { EventHoldReason, Hold, HoldStore } from './hold-store.ts'
import { adoptionAdvice, adoptionText, shortageText } from './view.ts'

const intervalMs = 2_000
const takenAtOnce = 100

export interface HoldWatchParts {
  readonly store: Pick<HoldStore, 'takeNewHolds'> & Pick<DirectoryRecords, 'getDirectory'>
  readonly schedule: Schedule
  readonly log: DeliveryLogger & { info(details: object, message: string): void }
  readonly notices: Pick<OperatorNotices, 'notify'>
}

/** Reports each hold once, in the log and to the operator. */
export interface HoldWatch {
  start(): void
  close(): Promise<void>
}

/** Checks every two seconds; an index, which is normally empty, finds new holds. */
export function createHoldWatch(parts: HoldWatchParts): HoldWatch {
  const { store, schedule, log } = parts
  const watch = createRepetition(schedule, async () => {
    try {
      for (const hold of await store.takeNewHolds(takenAtOnce)) await report(parts, hold)
    } catch (error) {
      log.error({ err: error }, 'new holds could not be read; retrying')
    }
    return intervalMs
  })
  return { start: () => watch.start(intervalMs), close: watch.close }
}

async function report({ store, log, notices }: HoldWatchParts, hold: Hold): Promise<void> {
  const { directoryId, reason, removals, firstSequence, since: at, role } = hold
  const directory = await store.getDirectory(directoryId)
  if (directory === undefined) return
  const isIntended = reason === 'adoption'
  log[isIntended ? 'info' : 'warn'](
    { directoryId, reason, removals, ...role, firstSequence },
    `the events of a directory are held: ${causes[reason]}`,
  )
  const cause = causeOf(hold)
  const advice = isIntended
    ? adoptionAdvice
    : 'If that is intended, release the hold; otherwise have the customer undo it, then discard the hold.'
  const message = `${cause.charAt(0).toUpperCase()}${cause.slice(1)}, so the events of this directory are held. ${advice}`
  const ofRole = role && { role: role.role, role_users: role.users, keep_at_least: role.minimum }
  const details = { reason, removals, active_users: hold.highest, first_sequence: firstSequence, ...ofRole }
  const about = role === undefined ? reason : `${reason} ${role.role}`
  await notices.notify({ type: 'directory.held', about, directory, at, message, details })
}

/** The causes in the log, which has the numbers beside them. */
const causes = {
  users: 'too many were removed',
  memberships: 'too many were removed',
  roles: 'too few users keep a role',
  adoption: adoptionText,
} satisfies Record<EventHoldReason, string>

function causeOf({ reason, removals, role }: Hold): string {
  if (role !== undefined) return shortageText(role)
  return reason === 'adoption' ? adoptionText : `${removals} ${reason} were removed within a short time`
}

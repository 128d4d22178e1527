import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import type { NoticeDraft, OperatorNotices } from '../../directory/operator-notice.ts'
import { expiryWarningMs } from '../../oauth/oauth-client.ts'
import type { ExpiringClient, OAuthClientStore } from '../../oauth/oauth-client-store.ts'

const intervalMs = 3_600_000
const firstAfterMs = 1_000
const takenAtOnce = 100

export interface ExpiryWatchParts {
  readonly store: Pick<OAuthClientStore, 'takeExpiringClients'> & Pick<DirectoryRecords, 'getDirectory'>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly notices: Pick<OperatorNotices, 'notify'>
}

/** Notifies the operator once of each OAuth client whose secret expires within 30 days. */
export interface ExpiryWatch {
  start(): void
  close(): Promise<void>
}

/** Looks every hour. An index has only the clients that were not reported yet. */
export function createExpiryWatch({ store, clock, schedule, log, notices }: ExpiryWatchParts): ExpiryWatch {
  const watch = createRepetition(schedule, async () => {
    try {
      await report()
    } catch (error) {
      log.error({ err: error }, 'OAuth clients that expire could not be read; retrying')
    }
    return intervalMs
  })

  async function report(): Promise<void> {
    for (;;) {
      const expiring = await store.takeExpiringClients(clock() + expiryWarningMs, takenAtOnce)
      for (const [directoryId, clients] of Map.groupBy(expiring, (client) => client.directoryId)) {
        const directory = await store.getDirectory(directoryId)
        if (directory !== undefined) await notices.notify(expiryNotice(directory, clients, clock()))
      }
      if (expiring.length < takenAtOnce || watch.isClosed()) return
    }
  }

  return { start: () => watch.start(firstAfterMs), close: watch.close }
}

/** The notice about one or several clients of a directory; its details are those of the one that expires first. */
function expiryNotice(
  directory: NoticeDraft['directory'],
  clients: readonly ExpiringClient[],
  at: number,
): NoticeDraft {
  const first = clients.reduce((a, b) => (b.expiresAt < a.expiresAt ? b : a))
  const expiresAt = new Date(first.expiresAt).toISOString()
  const which = first.name === undefined ? first.id : `${first.name} (${first.id})`
  const others = clients.length === 1 ? '' : `, and ${clients.length - 1} more soon`
  return {
    ...{ type: 'directory.credential_expiring', directory, at },
    message: `The secret of the OAuth client ${which} expires at ${expiresAt}${others}: create another client, have the administrator enter it in the identity provider, then delete this one.`,
    details: { client_id: first.id, name: first.name ?? null, expires_at: expiresAt, clients: clients.length },
  }
}

import { createRepetition } from '../concurrency/repetition.ts'
import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { CachedRecords } from '../directory/change-directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import type { MappingStore, Rollout } from './mapping-store.ts'

const intervalMs = 2_000
const productsAtOnce = 10
const directoriesPerStep = 50

export interface RolloutOptions {
  readonly store: Pick<MappingStore, 'listRollouts' | 'inheritMapping' | 'passRollout'> &
    Pick<DirectoryReads, 'listDirectoriesInScope'>
  readonly access: CachedRecords
  /** Called when a run of the directory has begun. */
  readonly onRun: (directoryId: string) => void
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/** Gives the mapping of a product to its directories that inherit or extend it, a few at a time, in creation order. */
export interface MappingRollout {
  start(): void
  /** Reports that a product has a new mapping. */
  wake(): void
  /** Stops after the current step; the next start continues. */
  close(): Promise<void>
}

export function createMappingRollout(options: RolloutOptions): MappingRollout {
  const { store, schedule, log } = options
  let running: Promise<void> | undefined
  const repetition = createRepetition(schedule, async () => {
    await run()
    return intervalMs
  })

  /** One pass at a time: a call during a pass waits for that one, and the next repetition finds what it missed. */
  function run(): Promise<void> {
    running ??= pass().finally(() => {
      running = undefined
    })
    return running
  }

  async function pass(): Promise<void> {
    try {
      for (;;) {
        const rollouts = await store.listRollouts(productsAtOnce)
        if (rollouts.length === 0) return
        for (const rollout of rollouts) {
          if (repetition.isClosed()) return
          await step(options, rollout)
        }
      }
    } catch (error) {
      log.error({ err: error }, 'the mapping of a product could not be given to its directories; retrying')
    }
  }

  return {
    start: () => repetition.start(0),
    wake() {
      if (!repetition.isClosed()) void run()
    },
    async close() {
      await Promise.all([repetition.close(), running])
    },
  }
}

async function step({ store, access, onRun, clock }: RolloutOptions, rollout: Rollout): Promise<void> {
  const { product, passed } = rollout
  const after = passed.id === '' ? undefined : passed
  const directories = await store.listDirectoriesInScope({ product }, { after, limit: directoriesPerStep })
  for (const { id } of directories) {
    if (!(await store.inheritMapping(id, clock()))) continue
    access.forget(id)
    onRun(id)
  }
  await store.passRollout(rollout, directories.length < directoriesPerStep ? undefined : directories.at(-1))
}

import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import type { Mappings, MappingsParts } from './mappings.ts'
import { createMappings } from './mappings.ts'
import type { Previews, PreviewsParts } from './previews.ts'
import { createPreviews } from './previews.ts'
import type { RolloutOptions } from './rollout.ts'
import { createMappingRollout } from './rollout.ts'
import type { MappingRunnerOptions } from './runner.ts'
import { createMappingRunner } from './runner.ts'
import type { SeenAttributes, SeenAttributesParts } from './seen-attributes.ts'
import { createSeenAttributes } from './seen-attributes.ts'
import type { UserRoles, UserRolesParts } from './user-roles.ts'
import { createUserRoles } from './user-roles.ts'

export interface MappedRolesParts
  extends Pick<MappingsParts, 'access' | 'audited'>,
    Pick<MappingRunnerOptions, 'onEvaluated' | 'clock' | 'schedule' | 'log'> {
  readonly store: (MappingsParts & PreviewsParts & SeenAttributesParts & UserRolesParts)['store'] &
    (RolloutOptions & MappingRunnerOptions)['store']
  readonly directories: { get(id: string): Promise<Directory> }
  readonly slices: TimeSlices
  /** Called after a step of a run, which may have stored events of the directory. */
  readonly onCommit: (directory: Directory) => void
}

/** Everything for the roles and attributes that mappings give: the mappings, their previews, and the runs that apply them. */
export interface MappedRoles {
  readonly mappings: Mappings & Previews & SeenAttributes & UserRoles
  /** Starts runs, and gives mappings of products to their directories. */
  start(): void
  /** Resolves when the current steps are done; the next start continues. */
  close(): Promise<void>
}

/** Composes the parts that give users roles and attributes. */
export function createMappedRoles(parts: MappedRolesParts): MappedRoles {
  const { store, directories, access, audited, slices, onCommit, onEvaluated, ...background } = parts
  const runner = createMappingRunner({ ...background, store, onStep: onCommit, onEvaluated })
  const rollout = createMappingRollout({ ...background, store, access, onRun: runner.wake })
  const onRun = ({ id, tenant }: Pick<Directory, 'id' | 'tenant'>) => runner.wake(id, tenant)
  store.onMappingRun(onRun)
  return {
    mappings: {
      ...createMappings({ store, access, slices, audited, clock: parts.clock, onRollout: rollout.wake, onRun }),
      ...createPreviews({ store, directories, slices }),
      ...createSeenAttributes({ store, directories, slices }),
      ...createUserRoles({ store, directories, slices }),
    },
    start() {
      runner.start()
      rollout.start()
    },
    async close() {
      await Promise.all([runner.close(), rollout.close()])
    },
  }
}

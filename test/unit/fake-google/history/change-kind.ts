import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { Random } from '../random.ts'

/** A way in which a Workspace changes. */
export interface ChangeKind {
  readonly name: string
  /** How often it happens, beside the others. */
  readonly weight: number
  /** Does it, and says to whom; undefined, and nothing done, where there is nobody that it can happen to. */
  readonly make: (model: WorkspaceModel, random: Random) => string | undefined
}

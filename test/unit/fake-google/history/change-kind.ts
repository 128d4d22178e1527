import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { Random } from '../random.ts'

/** A kind of change. */
export interface ChangeKind {
  readonly name: string
  /** The relative frequency. */
  readonly weight: number
  /** Makes the change and describes it; undefined if it is not possible. */
  readonly make: (model: WorkspaceModel, random: Random) => string | undefined
}

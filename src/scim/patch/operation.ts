import type { Json } from '../json.ts'
import type { PatchPath } from './path.ts'

/** What an operation does with the value (RFC 7644 §3.5.2). */
export type Op = 'add' | 'replace' | 'remove'

/** Assigns a value; null, `[]` and `""` unassign. */
export interface AssignOperation {
  readonly op: 'add' | 'replace'
  readonly path: PatchPath
  readonly value: Json
}

/** Unassigns; of a list, only the values given, if there are any. */
export interface RemoveOperation {
  readonly op: 'remove'
  readonly path: PatchPath
  readonly value: Json | undefined
}

/** One change of a PATCH request. */
export type PatchOperation = AssignOperation | RemoveOperation

import type { Observed } from '../diagnostics/health/health-store.ts'
import { changeBehaviors } from '../directory/behaviors.ts'
import type { Row } from './row.ts'
import { optionalInteger } from './row.ts'

/** The columns of `decodeBehaviors`, of a table or its alias. */
export function behaviorColumnsOf(alias: string): string {
  return changeBehaviors.map((behavior) => `${alias}.first_${behavior}_at, ${alias}.last_${behavior}_at`).join(', ')
}

/** Decodes a pair of columns, `first_…_at` and `last_…_at`; undefined when they are null. */
export function decodeObserved(row: Row, name: string): Observed | undefined {
  const [firstAt, lastAt] = [optionalInteger(row, `first_${name}_at`), optionalInteger(row, `last_${name}_at`)]
  return firstAt === undefined || lastAt === undefined ? undefined : { firstAt, lastAt }
}

import type { Observed } from '../diagnostics/health/health-store.ts'
import type { ChangeBehavior } from '../directory/behaviors.ts'
import { changeBehaviors } from '../directory/behaviors.ts'
import type { Row } from './row.ts'
import { optionalInteger } from './row.ts'

/**
 * The assignments to `directory_state` of a commit that shows behaviors, appended to others.
 *
 * @param timeOf the time of a behavior as SQL; a behavior whose time is null is not shown
 */
export function observes<B extends ChangeBehavior>(behaviors: readonly B[], timeOf: (behavior: B) => string): string {
  return behaviors
    .map((behavior) => {
      const [first, last] = [`first_${behavior}_at`, `last_${behavior}_at`]
      const time = timeOf(behavior)
      return `, ${first} = coalesce(${first}, ${time}), ${last} = coalesce(${time}, ${last})`
    })
    .join('')
}

/** The columns of `decodeBehaviors`, of a table or its alias. */
export function behaviorColumnsOf(alias: string): string {
  return changeBehaviors.map((behavior) => `${alias}.first_${behavior}_at, ${alias}.last_${behavior}_at`).join(', ')
}

/** Decodes a pair of columns, `first_…_at` and `last_…_at`; undefined when they are null. */
export function decodeObserved(row: Row, name: string): Observed | undefined {
  const [firstAt, lastAt] = [optionalInteger(row, `first_${name}_at`), optionalInteger(row, `last_${name}_at`)]
  return firstAt === undefined || lastAt === undefined ? undefined : { firstAt, lastAt }
}

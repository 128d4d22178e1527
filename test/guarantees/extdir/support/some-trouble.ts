import type { Endpoint } from '../../../../tools/fake-google/endpoint.ts'
import type { Knobs } from '../../../../tools/fake-google/knobs.ts'
import { lists } from '../../../unit/fake-google/failures/effect.ts'
import type { FailureMode } from '../../../unit/fake-google/failures/failure-modes.ts'
import { failureModesOf } from '../../../unit/fake-google/failures/failure-modes.ts'
import type { Random } from '../../../unit/fake-google/random.ts'

/** A user missing from both the list and the lookup cannot be distinguished from a deleted one. */
function isSecondLie(endpoint: Endpoint, { effects }: FailureMode): boolean {
  return !lists.includes(endpoint) && effects.lies?.includes(endpoint) === true
}

/** Makes one of the next requests fail in a random way, and later ones with a random probability. */
export function someTrouble(random: Random, now: () => number): Knobs['onRequest'] {
  let calm = random.between(0, 25)
  const again = random.happens(0.5) ? 0 : 0.5
  return ({ endpoint }) => {
    calm -= 1
    if (calm > 0 || (calm < 0 && !random.happens(again))) return undefined
    const mode = random.pick<FailureMode>(failureModesOf(endpoint).filter((one) => !isSecondLie(endpoint, one)))
    return mode?.fault({ now, released: Promise.resolve() })
  }
}

import type { Step } from '../../src/cli/terminal/progress.ts'
import { countOf } from '../../src/cli/terminal/quantity.ts'
import type { PhaseName, SimulationProgress } from './phase.ts'

/** What the phases are called in the terminal. */
const labels = {
  connect: 'test the connection',
  join: 'users join',
  update: 'profiles change',
  groups: 'groups are pushed',
  offboard: 'users leave',
} satisfies Record<PhaseName, string>

/** A simulation's progress as a line of the terminal. */
export function stepOf({ phase, done, total, calls, errors }: SimulationProgress): Step {
  const note = errors === 0 ? countOf(calls, 'call') : `${countOf(calls, 'call')}, ${countOf(errors, 'error')}`
  return { label: labels[phase], done, total, note }
}

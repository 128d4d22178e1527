import { teamNames } from './names.ts'
import { createRandom, shuffled } from './random.ts'

/** An invented group as a provider's own directory has it. */
export interface Team {
  /** 1, 2, 3 … for a seed. */
  readonly number: number
  readonly seed: number
  readonly name: string
}

/** So many teams with different names. The names are few: teams of two seeds may share one, as teams of one company do. */
export function generateTeams(count: number, seed: number): Team[] {
  const names = shuffled(teamNames, createRandom(seed ^ 0x7ea5))
  return Array.from({ length: count }, (_, index) => {
    const name = names[index % names.length] ?? 'Team'
    const turn = Math.floor(index / names.length)
    return { number: index + 1, seed, name: turn === 0 ? name : `${name} ${turn + 1}` }
  })
}

/** Who is in the team at that place: everyone is in one team, every third person in a second one. */
export function membersOf<T>(people: readonly T[], teamIndex: number, teamCount: number): T[] {
  return people.filter((_, index) => {
    const second = (index + 1 + (Math.floor(index / teamCount) % Math.max(1, teamCount - 1))) % teamCount
    return index % teamCount === teamIndex || (index % 3 === 0 && second === teamIndex)
  })
}

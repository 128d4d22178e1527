import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seeded, SeedPlan } from './plan.ts'

/** Fills a database in a separate process; returns the directories in the order of the plans. */
export async function seed(env: Readonly<Record<string, string>>, plans: readonly SeedPlan[]): Promise<Seeded[]> {
  const child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), [JSON.stringify(plans)], {
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  const [seeded] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`the seeding ended with ${code}`)
    }),
  ])
  await ended
  return seeded as Seeded[]
}

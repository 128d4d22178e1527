import { median } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inSeconds } from '../report/row.ts'
import { startOnce } from '../servers/start-once.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

/** The time from starting `rollcall serve` on the large directory's database to the first 200 of /readyz. */
export async function measureStart({ engine, scale, large, say }: Bench): Promise<Row[]> {
  const { env, directory } = await large()
  say(`start with ${directory.users} users`)
  const seconds: number[] = []
  for (const _ of times(scale.starts, () => undefined)) seconds.push(await startOnce(env))
  const verdict = atMost(budget.startSeconds, median(seconds), inSeconds)
  return [{ engine: engine.name, what: `start to ready, ${directory.users} users`, verdict }]
}

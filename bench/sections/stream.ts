import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb } from '../report/row.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath } from '../workload/api.ts'
import type { Bench } from './section.ts'

/** The whole listing of the large directory, as the product reads it, and the memory used. */
export async function measureStream({ engine, large, say }: Bench): Promise<Row[]> {
  const { env, directory } = await large()
  await using service = await startServerProcess('./service.ts', env)
  say(`listing of ${directory.users} users`)
  const users = await countListed(`http://127.0.0.1:${service.port}${apiPath}/users?directoryId=${directory.id}`)
  if (users !== directory.users) throw new Error(`the listing has ${users} users instead of ${directory.users}`)
  const { maxRssBytes } = await service.usage()
  const resident = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [{ engine: engine.name, what: 'memory at most, listing of the large directory', verdict: resident }]
}

async function countListed(url: string): Promise<number> {
  const request = get(url, { headers: { authorization: apiAuthorization } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} to ${url}`)
  const mark = '"first_name":'
  let [count, rest] = [0, '']
  for await (const chunk of response.setEncoding('latin1')) {
    const parts: string[] = (rest + chunk).split(mark)
    count += parts.length - 1
    rest = (parts.at(-1) ?? '').slice(-mark.length)
  }
  if (!rest.endsWith('"error":null}'.slice(-mark.length))) throw new Error('the listing broke off')
  return count
}

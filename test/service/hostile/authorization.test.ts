import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { adminPrefix } from '../../../src/http/admin/routes.ts'
import { apiPrefix } from '../../support/client.ts'
import { cases } from '../../support/extent.ts'
import type { Engine } from '../../support/service.ts'
import { forEachEngine, startTestService, testApiKey } from '../../support/service.ts'
import { admin, adminSettings, logIn, rootToken } from './support/admin.ts'
import type { RightHeaders } from './support/headers.ts'
import { anyWrongHeader, isRight } from './support/headers.ts'
import { rawStatus } from './support/raw-request.ts'

const seed = 20_260_115
/** TEST_HEADERS tries another number of headers. */
const headerCounts = { sqlite: cases(1_000), postgres: cases(300) } satisfies Record<Engine, number>
/** Each of these costs a bcrypt comparison, which requires the right root token. */
const maxCostly = 20
const inFlight = 32
const doors = ['admin', 'api', 'scim'] as const
type Door = (typeof doors)[number]

async function openDoors(engine: Engine) {
  const service = await startTestService(engine, { ...adminSettings, LOG_LEVEL: 'warn' })
  const directory = await service.createDirectory()
  const { threePart, bearer } = await logIn(service)
  const { body } = await admin(service, bearer, 'POST', '/apikey', { name: 'managed' })
  const right: RightHeaders = {
    apiKey: `Api-Key ${testApiKey}`,
    managedKey: `Api-Key ${(body.data as unknown as { key: string }).key}`,
    scim: `Bearer ${directory.scim.secret}`,
    login: `token=${rootToken}`,
    ...{ threePart, bearer },
  }
  const paths: Readonly<Record<Door, string>> = {
    admin: `${adminPrefix}/user/me`,
    api: `${apiPrefix}/providers`,
    scim: `${directory.scim.path}/Users`,
  }
  return {
    ...{ service, right },
    /** Each attempt comes from another address, by X-Forwarded-For. */
    async knock(door: Door, authorization: string, from: number): Promise<number> {
      const headers = {
        authorization,
        'x-forwarded-for': `10.${(from >> 16) & 255}.${(from >> 8) & 255}.${from & 255}`,
      }
      return (await service.request('GET', paths[door], { headers })).status
    },
    /** Sends raw header lines; resolves with the status, or 0 when the connection is closed without a response. */
    raw: (door: Door, lines: string) => rawStatus(service.origin, `GET ${paths[door]} HTTP/1.1\r\nHost: x\r\n${lines}`),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Random headers, the same in every run. */
function wrongHeaders(right: RightHeaders, count: number): string[] {
  const costly = new RegExp(`^id=[\\w-]{1,100} token=[\\w-]{43} admin_token=${rootToken}$`)
  let paid = 0
  const all = fc.sample(anyWrongHeader(right), { seed, numRuns: count + 500 })
  const cheap = all.filter((header) => {
    if (costly.test(header)) paid += 1
    return !costly.test(header) || paid <= maxCostly
  })
  assert(cheap.length >= count)
  return cheap.slice(0, count)
}

/** Processes a list with limited concurrency. */
async function atOnce<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const left = all.entries()
  const worker = async () => {
    for (const [index, one] of left) await work(one, index)
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
}

forEachEngine((engine) => {
  const headerCount = Number(process.env['TEST_HEADERS'] ?? headerCounts[engine])

  test(`${headerCount} random headers are rejected everywhere, none with a server error (seed ${seed})`, async () => {
    await using opened = await openDoors(engine)
    const { right, knock, service } = opened
    const headers = wrongHeaders(right, headerCount)
    const statuses = new Map<number, number>()
    await atOnce(headers, async (header, index) => {
      const door = doors[index % doors.length]
      if (door === undefined || isRight(header, right, door)) return
      const status = await knock(door, header, index)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      assert([400, 401, 429, 431].includes(status), `${status} at ${door}, seed ${seed}: ${JSON.stringify(header)}`)
    })
    assert((statuses.get(401) ?? 0) > 0.9 * headerCount, JSON.stringify([...statuses]))
    assert.deepEqual(
      service.log.filter(({ level }) => Number(level) >= 50),
      [],
    )
  })

  test('each credential authorizes its own routes and no others', async () => {
    await using opened = await openDoors(engine)
    const { right, knock } = opened
    const own: Readonly<Record<keyof RightHeaders, readonly Door[]>> = {
      ...{ apiKey: ['api'], managedKey: ['api'], scim: ['scim'], login: [] },
      ...{ threePart: ['admin', 'api'], bearer: ['admin', 'api'] },
    }
    for (const [what, itsDoors] of Object.entries(own) as [keyof RightHeaders, readonly Door[]][]) {
      for (const door of doors) {
        const isIts = itsDoors.includes(door)
        assert.equal(await knock(door, right[what], 1), isIts ? 200 : 401, `${what} at ${door}`)
        assert.equal(isRight(right[what], right, door), isIts, `${what} at ${door}`)
      }
    }
  })

  test('any number of spaces may precede a key or secret; other white space may not', async () => {
    await using opened = await openDoors(engine)
    const { right, knock } = opened
    for (const [door, header] of [
      ['api', right.apiKey],
      ['scim', right.scim],
    ] as const) {
      assert.equal(await knock(door, header.replace(' ', '   '), 1), 200)
      for (const blank of ['\t', ' \t', '\t ', '\u00a0', ' \u00a0', '']) {
        assert.equal(await knock(door, header.replace(' ', blank), 1), 401, JSON.stringify(blank))
      }
      assert.equal(await knock(door, `${header}\u00a0`, 1), 401)
    }
  })

  test('a repeated Authorization header is rejected, whichever of them is valid', async () => {
    await using opened = await openDoors(engine)
    const { right, raw } = opened
    for (const [door, header] of [
      ['api', right.apiKey],
      ['api', right.managedKey],
      ['api', right.bearer],
      ['scim', right.scim],
      ['admin', right.bearer],
      ['admin', right.threePart],
    ] as const) {
      const wrong = header.replace(/.$/, '')
      for (const pair of [
        [header, wrong],
        [wrong, header],
        [header, ''],
        ['', header],
        [header, header],
      ]) {
        const [first, second] = pair
        const status = await raw(door, `Authorization: ${first}\r\nauthorization: ${second}`)
        assert.equal(status, 401, `${door} ${pair.indexOf(header)}`)
      }
      assert.equal(await raw(door, `Authorization: ${header}`), 200)
    }
  })

  test('malformed HTTP is rejected before it reaches a route', async () => {
    await using opened = await openDoors(engine)
    const { right, raw } = opened
    for (const [door, header] of [
      ['api', right.apiKey],
      ['scim', right.scim],
      ['admin', right.threePart],
      ['admin', right.bearer],
    ] as const) {
      for (const line of [
        ...[`Authorization: ${header}\0`, `Authorization: \0${header}`, `Authorization: ${header}\x07`],
        ...[`Authorization: ${header.replace(' ', '\r\n ')}`, `Authorization:\r\n ${header}`],
        ...[`Authorization: ${header.replace(' ', '\n')}`, `Authorization: ${header.replace(' ', '\r')}`],
        ...[`Authorization : ${header}`, ` Authorization: ${header}`, `X: y\r\n\tAuthorization: ${header}`],
        ...[
          `Authorization\0: ${header}`,
          `Authorization: ${header}\x7f`,
          `Authorization: ${header}${'x'.repeat(17_000)}`,
        ],
        ...[`Proxy-Authorization: ${header}`, `X-Authorization: ${header}`, `Cookie: Authorization=${header}`],
        ...[`X-Forwarded-Authorization: ${header}`, `Authorisation: ${header}`, `Authorization_: ${header}`],
      ]) {
        const status = await raw(door, line)
        assert(
          [400, 401, 431].includes(status),
          `${door} ${status} ${JSON.stringify(line.replace(header, '…').slice(0, 80))}`,
        )
      }
    }
  })
})

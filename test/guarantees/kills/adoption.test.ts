import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AdoptionView } from '../../../src/adoption/adoptions.ts'
import type { HoldView } from '../../../src/delivery/hold/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { oktaIdOf } from '../../../tools/simulate/dialects/okta.ts'
import { generatePeople } from '../../../tools/simulate/people/person.ts'
import { simulate } from '../../../tools/simulate/simulate.ts'
import { apiPrefix } from '../../support/client.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { hasten } from '../../support/delivery.ts'
import { eventually } from '../../support/eventually.ts'
import { runsAll } from '../../support/extent.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { startServiceProcess, testApiKey } from '../../support/service.ts'
import { seededRandom } from '../support/random.ts'
import { openStoreOf } from '../support/store.ts'

const seed = Number(process.env['TEST_SEED'] ?? 20_261_129)

/** When the service is killed: within the first sync, the upload of the list, the request to apply, its steps, or the delivery. */
const moments = ['sync', 'upload', 'apply', 'steps', 'delivery'] as const

interface Kill {
  readonly moment: (typeof moments)[number] | 'never'
  /** From 0 to 1: how far into the moment. */
  readonly at: number
}

/** Four kills at each moment in the long run, in the short one a first sync without a kill, and one that is killed while it is applied. */
function killsOf(random: () => number): readonly Kill[] {
  if (!runsAll)
    return [
      { moment: 'never', at: 0 },
      { moment: 'steps', at: 0 },
    ]
  return moments.flatMap((moment) => [1, 2, 3, 4].map(() => ({ moment, at: random() })))
}

/** A step of an adoption links 300 users: the kills within them need several. */
const usersOf = ({ moment }: Kill) => (runsAll && moment === 'steps' ? 650 : 48)
const strangers = 5
/** The turns of the event loop within which a plan is marked as being applied, and within which all its steps are made. */
const maxTurns = { apply: 1_500, steps: 2_500 }

interface Account {
  readonly account_id: string
  readonly external_id?: string
  readonly user_name?: string
  readonly email?: string
}

/** The accounts that the product has of some people, by whom each is known in another way, and of others who are in no directory. */
function accountsOf(users: number, ofSeed: number): readonly Account[] {
  const people = generatePeople(users, ofSeed, 'acme.example').map((person, n): Account => {
    const account_id = `acct_${n}`
    // The simulated Okta changes the names and addresses of these.
    if (n % 3 === 1) return { account_id, external_id: oktaIdOf(person), email: person.email }
    const name = person.userName.toUpperCase()
    return n % 3 === 0 ? { account_id, email: name } : { account_id, user_name: name }
  })
  const others = Array.from({ length: strangers }, (_, n) => ({
    account_id: `guest_${n}`,
    email: `${n}@guest.example`,
  }))
  return [...people, ...others]
}

/** Sends a list in parts, and calls `onPart` after each. */
async function upload(
  { origin }: ServiceProcess,
  { id }: DirectoryView,
  accounts: readonly Account[],
  onPart: (part: number) => void,
): Promise<void> {
  async function* parts() {
    for (let part = 0; part < accounts.length; part += 1) {
      yield Buffer.from(`${JSON.stringify(accounts[part])}\n`)
      onPart(part + 1)
    }
  }
  const headers = { authorization: `Api-Key ${testApiKey}`, 'content-type': 'application/x-ndjson' }
  const body = ReadableStream.from(parts())
  const sent = { method: 'POST', headers, body, duplex: 'half' } as const
  const { status } = await fetch(`${origin}${apiPrefix}/${id}/adoption`, sent)
  assert.equal(status, 200)
}

async function read<T>(service: ServiceProcess, path: string): Promise<T> {
  const { status, body, text } = await service.api('GET', path)
  assert.equal(status, 200, text)
  return body.data as unknown as T
}

const planOf = (service: ServiceProcess, { id }: DirectoryView) => read<AdoptionView>(service, `/${id}/adoption`)
const holdOf = (service: ServiceProcess, { id }: DirectoryView) => read<HoldView>(service, `/${id}/hold`)

const applyPlan = (service: ServiceProcess, { id }: DirectoryView, { version }: AdoptionView) =>
  service.api('POST', `/${id}/adoption/apply`, { version })

/** Does what is left of an adoption, as a product that looks what became of it. */
async function complete(service: ServiceProcess, directory: DirectoryView, accounts: readonly Account[]) {
  if ((await planOf(service, directory)).state === 'none' && (await holdOf(service, directory)).held)
    await upload(service, directory, accounts, () => {})
  const plan = await planOf(service, directory)
  if (plan.state === 'ready') {
    const { link, create, unmatched, conflict } = plan.counts
    assert.deepEqual([link, create, unmatched, conflict], [accounts.length - strangers, 0, strangers, 0])
    assert.equal((await applyPlan(service, directory, plan)).status, 202)
  }
  await eventually('the plan is applied', async () => (await planOf(service, directory)).state === 'none')
  assert.equal((await holdOf(service, directory)).held, false)
}

/** The accounts of a product that updates the account of an event, and creates one where there is none. */
function accountsAfter(accounts: readonly Account[], events: readonly ReceivedEvent[]): ReadonlyMap<string, string> {
  const users = new Map(accounts.map(({ account_id }) => [account_id, '']))
  for (const { event, data } of events)
    if (event === 'user.created' || event === 'user.updated') users.set(accountIn(data) ?? `new ${data.id}`, data.id)
  return users
}

const accountIn = (data: object) => Reflect.get(data, 'account_id') as string | null

forEachEngine((engine) => {
  test('a first sync into a product that has the accounts duplicates nobody, and every user is created with the account, whenever the service is killed', async (t) => {
    const random = seededRandom(seed)
    await using database = await openTestDatabase(engine)
    await using receiver = await startReceiver()
    await using processes = new AsyncDisposableStack()
    const start = async () => processes.use(await startServiceProcess(database))
    let service = await start()

    for (const [round, kill] of killsOf(random).entries()) {
      const users = usersOf(kill)
      const accounts = accountsOf(users, round + 1)
      const directory = await service.createDirectory({
        ...receiver.endpoint,
        ...{ tenant: `tenant-${round}`, type: 'okta-scim-v2', adoption: 'hold' },
      })
      /** The number of a part of the moment. */
      const within = (parts: number) => Math.min(Math.floor(kill.at * parts), parts - 1) + 1
      /** What the kill has left of the adoption. */
      let left = 'no list'
      const die = async () => {
        await service.kill('SIGKILL')
        {
          await using store = await openStoreOf(database)
          left = (await store.getAdoption(directory.id))?.state ?? left
        }
        service = await start()
      }
      const sync = async (killedAfter?: number) => {
        const stopping = new AbortController()
        let killed: Promise<unknown> | undefined
        const result = await simulate({
          ...{ dialect: 'okta', secret: directory.scim.secret, users, groups: 2, offboardPercent: 0, seed: round + 1 },
          ...{ scimUrl: service.origin + directory.scim.path, mailDomain: 'acme.example', signal: stopping.signal },
          onProgress({ phase, done }) {
            if (phase !== 'create' || done !== killedAfter) return
            killed ??= service.kill('SIGKILL')
            stopping.abort()
          },
        })
        if (killed === undefined) assert.equal(result.errorCount, 0, JSON.stringify(result.errors))
        await killed
        return killed !== undefined
      }

      if (kill.moment === 'sync' && (await sync(within(users)))) service = await start()
      await sync()
      assert.deepEqual(receiver.events(directory.id), [], 'nothing is sent before')
      if (kill.moment === 'upload') {
        const part = within(accounts.length)
        await upload(service, directory, accounts, (now) => {
          if (now === part) void service.kill('SIGKILL')
        }).catch(() => {})
        await die()
      }
      if (kill.moment === 'apply' || kill.moment === 'steps') {
        await upload(service, directory, accounts, () => {})
        const applied = applyPlan(service, directory, await planOf(service, directory)).catch(() => {})
        if (kill.moment === 'steps') await applied
        for (let turn = 1; turn < within(maxTurns[kill.moment]); turn += 1) await nextTurn()
        await die()
        await applied
      }
      if (kill.moment === 'delivery') {
        const killedAt = within(users)
        let count = 0
        receiver.answer(({ directory_id }) => {
          if (directory_id === directory.id) count += 1
          if (count === killedAt) void service.kill('SIGKILL')
          return 204
        })
        await complete(service, directory, accounts).catch(() => {})
        await receiver.until(() => count >= killedAt, 'the kill')
        await die()
        receiver.answerWith(204)
      }
      await complete(service, directory, accounts)

      await hasten(service, directory.id)
      const last = await read<{ last_sequence: number }>(service, `/${directory.id}/delivery`)
      const received = () => receiver.events(directory.id)
      await receiver.until(() => received().at(-1)?.sequence === last.last_sequence, 'the last event')
      const created = received().filter(({ event }) => event === 'user.created')
      assert.equal(new Set(created.map(({ data }) => data.id)).size, users)
      assert.deepEqual(
        created.filter(({ data }) => accountIn(data) === null),
        [],
        'every user is created with its account',
      )
      const after = accountsAfter(accounts, received())
      assert.deepEqual(
        [...after.keys()],
        accounts.map(({ account_id }) => account_id),
        'nobody has a second account',
      )
      const linked = [...after.values()].filter((user) => user !== '')
      assert.deepEqual([linked.length, new Set(linked).size], [users, users])
      const text = `${kill.moment} ${kill.at.toFixed(3)}, which left ${left}; ${received().length} events received`
      t.diagnostic(`seed ${seed}, round ${round}: ${text}`)
    }
    assert.equal(receiver.refusedSignatures(), 0)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Action, Verdict } from '../../../src/diagnostics/explain/decision.ts'
import type { Explanation } from '../../../src/diagnostics/explain/explanation.ts'
import type { HealthReasonCode } from '../../../src/diagnostics/health/state.ts'
import type { OverviewView } from '../../../src/diagnostics/overview/overview.ts'
import type { SearchHitView } from '../../../src/reads/search.ts'
import { assertForPeople } from '../../support/api-words.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, startTestService, testApiKey } from '../../support/service.ts'
import { adminSettings, login, makeKey } from '../admin/support/admin.ts'
import type { PlaceName, World } from './support/world.ts'
import { createWorld } from './support/world.ts'

/** The API keys that ask, by their scope. */
const keyScopes = {
  'of tenant acme': { tenant: 'acme' },
  'of tenant borealis': { tenant: 'borealis', product: 'crm' },
  'of product mail': { product: 'mail' },
} as const

type Scope = { readonly directory?: PlaceName; readonly tenant?: string; readonly product?: string }

interface Question {
  /** The name, or `id of <directory> <name>`. */
  readonly asked: string
  /** The scope of the question; everything if it is left out. */
  readonly among?: Scope
  readonly key?: keyof typeof keyScopes
}

/** A question about somebody, and what is true of them. */
interface Situation extends Question {
  readonly what: string
  readonly explain: Explained
  /** The directories in which a search finds users and groups, one for each, and those that it finds themselves. */
  readonly search: readonly (PlaceName | `directory ${PlaceName}`)[]
  /**
   * The worst reason of each directory that the overview of the scope counts as not healthy. If the scope is everything, it is
   * that of the tenant and product of the verdict's directory.
   */
  readonly overview: readonly HealthReasonCode[]
}

interface Explained {
  readonly verdict: Verdict
  /** The directory of the verdict; null if none knows the subject. */
  readonly directory: PlaceName | null
  /** The directories of the candidates, in any order; that of the verdict alone if left out, none if it is null. */
  readonly candidates?: readonly PlaceName[]
  /** What the sentence says, and what it must not say. */
  readonly says: RegExp
  readonly never?: RegExp
  /** The number of directories that were searched. */
  readonly searched?: number
  /** The name of the subject that is stored. */
  readonly subject?: string
  readonly action?: Action['kind']
}

/** Of 17 directories one is deleted. */
const everything = 16

/** What is wrong with directories of the world. */
const whatIsWrong: readonly HealthReasonCode[] = [
  'unauthorized',
  'unauthorized',
  'delivery-failing',
  'held',
  'delivery-paused',
  'dead-events',
  'not-connected',
  'never-connected',
  'deactivated',
]

const situations: readonly Situation[] = [
  // The same name in several directories
  {
    what: 'somebody is in two tenants',
    asked: 'maya@shared.example',
    explain: { verdict: 'delivered', directory: 'Acme', candidates: ['Acme', 'Borealis'], says: /has accepted it/ },
    search: ['Acme', 'Borealis'],
    overview: [],
  },
  {
    what: 'somebody is in two tenants, and one directory is asked',
    asked: 'maya@shared.example',
    among: { directory: 'Borealis' },
    explain: { verdict: 'delivered', directory: 'Borealis', says: /has accepted it/, searched: 1 },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'somebody was refused in one directory, and is present in another',
    asked: 'rita@shared.example',
    explain: { verdict: 'refused', directory: 'Acme', candidates: ['Acme', 'Borealis'], says: /refused with 400/ },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'somebody was deleted in one directory, and is present in another',
    asked: 'dean@shared.example',
    explain: { verdict: 'deleted', directory: 'Acme', candidates: ['Acme', 'Borealis'], says: /no longer exists/ },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'somebody was deleted in one directory, and the other one is asked',
    asked: 'dean@shared.example',
    among: { tenant: 'borealis' },
    explain: { verdict: 'delivered', directory: 'Borealis', says: /has accepted it/, never: /no longer exists/ },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'somebody was looked up in one directory later than another one got them',
    asked: 'lucy@shared.example',
    explain: {
      ...{ verdict: 'delivered', directory: 'Borealis', candidates: ['Borealis', 'Acme'] },
      ...{ says: /has accepted it/, never: /looked for/ },
    },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'a tenant has two directories, and one of them refused a user of the other',
    asked: 'nils@nova.example',
    among: { tenant: 'nova', product: 'crm' },
    explain: {
      ...{ verdict: 'refused', directory: 'Nova One', candidates: ['Nova One', 'Nova Two'] },
      ...{ says: /refused with 400/, searched: 2 },
    },
    search: ['Nova Two'],
    overview: [],
  },
  {
    what: 'a group was deleted in one directory, and another one has a group of this name',
    asked: 'board',
    explain: { verdict: 'deleted', directory: 'Acme', candidates: ['Acme', 'Borealis'], says: /no longer exists/ },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'a group and a user of one directory have the same name',
    asked: 'SALES',
    explain: { verdict: 'delivered', directory: 'Acme', candidates: ['Acme', 'Acme'], says: /has accepted it/ },
    search: ['Acme', 'Acme'],
    overview: [],
  },
  {
    what: 'two users of one directory have the same address',
    asked: 'team@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', candidates: ['Acme', 'Acme'], says: /new user team-\d@acme/ },
    search: ['Acme', 'Acme'],
    overview: [],
  },
  {
    what: 'one of two users with the same address is asked for by id',
    asked: 'id of Acme team-1@acme.example',
    among: { directory: 'Acme' },
    explain: { verdict: 'delivered', directory: 'Acme', says: /new user team-1@acme/, subject: 'team-1@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  // Names
  {
    what: 'a name has other letter case',
    asked: 'MAYA@Shared.Example',
    among: { tenant: 'acme' },
    explain: { verdict: 'delivered', directory: 'Acme', says: /has accepted it/, subject: 'maya@shared.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'a name has other letter case beyond ASCII',
    asked: 'josé@ACME.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /JOSÉ@acme/, subject: 'JOSÉ@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'a letter with a diacritic is composed of two characters',
    asked: 'jose\u0301@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /JOSÉ@acme/, subject: 'JOSÉ@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'somebody is found by another address',
    asked: 'a.berg@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /new user anna@acme/, subject: 'anna@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'somebody is found by the whole display name',
    asked: 'anna berg',
    explain: { verdict: 'delivered', directory: 'Acme', says: /new user anna@acme/, subject: 'anna@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'only a part of a display name is given',
    asked: 'Berg',
    explain: { verdict: 'never-sent', directory: null, says: /No user or group in 16 directories has Berg as/ },
    search: ['Acme'],
    overview: whatIsWrong,
  },
  {
    what: 'somebody is found by the external id',
    asked: 'E-77',
    explain: { verdict: 'delivered', directory: 'Acme', says: /new user anna@acme/, subject: 'anna@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'somebody is found by the id',
    asked: 'id of Borealis rita@shared.example',
    explain: { verdict: 'delivered', directory: 'Borealis', says: /has accepted it/, never: /refused/ },
    search: ['Borealis'],
    overview: [],
  },
  {
    what: 'somebody is asked for by a former userName',
    asked: 'olda@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /newa@acme/, subject: 'newa@acme.example' },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'somebody is asked for by the present userName after a change',
    asked: 'newa@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /The change to user newa@acme/ },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'only the beginning of a name is given',
    asked: 'maya@shared',
    explain: { verdict: 'never-sent', directory: null, says: /No user or group in 16 directories has maya@shared as/ },
    search: ['Acme', 'Borealis'],
    overview: whatIsWrong,
  },
  {
    what: 'a name contains a wildcard of SQL',
    asked: '%@acme.example',
    explain: { verdict: 'never-sent', directory: null, says: /No user or group in 16 directories/ },
    search: [],
    overview: whatIsWrong,
  },
  {
    what: 'a name with a percent sign is found as it is',
    asked: '100%@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /100%@acme/ },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'the name of a directory is no name of a user',
    asked: 'Acme',
    explain: { verdict: 'never-sent', directory: null, says: /has Acme as its name/ },
    search: ['directory Acme', 'directory Acme Mail'],
    overview: whatIsWrong,
  },
  // What happened in one directory
  {
    what: 'somebody was deleted and created again',
    asked: 'rex@acme.example',
    explain: { verdict: 'delivered', directory: 'Acme', says: /has accepted it/, never: /no longer exists/ },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'somebody was deleted',
    asked: 'gone@acme.example',
    explain: { verdict: 'deleted', directory: 'Acme', says: /the identity provider deleted it on/ },
    search: [],
    overview: [],
  },
  {
    what: 'somebody who was deleted is asked for by id',
    asked: 'id of Acme gone@acme.example',
    explain: { verdict: 'deleted', directory: 'Acme', says: /no longer exists/ },
    search: [],
    overview: [],
  },
  {
    what: 'somebody is inactive',
    asked: 'ina@acme.example',
    explain: { verdict: 'deactivated', directory: 'Acme', says: /is inactive, as reported by the identity provider/ },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'a second user was refused because the name is taken',
    asked: 'dup@acme.example',
    explain: { verdict: 'refused', directory: 'Acme', says: /refused with 409: .*belongs to the user/ },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'somebody was only refused',
    asked: 'only-refused@acme.example',
    explain: {
      verdict: 'refused',
      directory: 'Acme',
      action: 'show-request',
      says: /refused with 400/,
      never: /sent a change/,
    },
    search: [],
    overview: [],
  },
  {
    what: 'somebody was only looked up',
    asked: 'lou@acme.example',
    explain: { verdict: 'looked-up-only', directory: 'Acme', says: /looked for lou@acme.*did not create it/ },
    search: [],
    overview: [],
  },
  {
    what: 'a deletion is held',
    asked: 'ed@ember.example',
    explain: {
      verdict: 'held',
      directory: 'Ember',
      action: 'release-hold',
      says: /The deletion of user ed@ember.* has been held since/,
    },
    search: [],
    overview: ['held'],
  },
  {
    what: 'a user who was created behind a hold is held',
    asked: 'eve@ember.example',
    explain: { verdict: 'held', directory: 'Ember', says: /The new user eve@ember.* has been held since/ },
    search: ['Ember'],
    overview: ['held'],
  },
  {
    what: 'delivery is paused',
    asked: 'finn@fjord.example',
    explain: {
      verdict: 'waiting',
      directory: 'Fjord',
      action: 'resume-delivery',
      says: /delivery to the product has been paused since/,
    },
    search: ['Fjord'],
    overview: ['delivery-paused'],
  },
  {
    what: 'the endpoint fails',
    asked: 'gail@grove.example',
    explain: {
      verdict: 'failing',
      directory: 'Grove',
      action: 'test-endpoint',
      says: /has not accepted events of this directory since/,
    },
    search: ['Grove'],
    overview: ['delivery-failing'],
  },
  {
    what: 'the event is dead',
    asked: 'hana@harbor.example',
    explain: { verdict: 'dead', directory: 'Harbor', action: 'replay', says: /the product refused it repeatedly/ },
    search: ['Harbor'],
    overview: ['dead-events'],
  },
  {
    what: 'nobody has read the feed',
    asked: 'ivo@iris.example',
    explain: {
      verdict: 'waiting',
      directory: 'Iris',
      action: 'set-endpoint',
      says: /waiting for the product to read it from the feed/,
    },
    search: ['Iris'],
    overview: [],
  },
  {
    what: 'the directory is deactivated',
    asked: 'kim@kelp.example',
    explain: {
      verdict: 'deactivated',
      directory: 'Kelp',
      action: 'activate-directory',
      says: /directory “Kelp” is deactivated/,
    },
    search: ['Kelp'],
    overview: ['deactivated'],
  },
  {
    what: 'a resync repeats a user who was delivered before',
    asked: 'max@moss.example',
    explain: {
      verdict: 'delivered',
      directory: 'Moss',
      says: /The new user max@moss/,
      never: /present state|snapshot/,
    },
    search: ['Moss'],
    overview: [],
  },
  {
    what: 'a resync repeats a user who is inactive',
    asked: 'mia@moss.example',
    explain: { verdict: 'deactivated', directory: 'Moss', says: /the last change was on/ },
    search: ['Moss'],
    overview: [],
  },
  {
    what: 'a resync repeats a group',
    asked: 'Gardeners',
    explain: { verdict: 'delivered', directory: 'Moss', says: /The new group Gardeners/, never: /present state/ },
    search: ['Moss'],
    overview: [],
  },
  // Wrong secrets
  {
    what: 'nobody knows somebody, and a directory gets wrong secrets',
    asked: 'stranger@nowhere.example',
    explain: {
      ...{ verdict: 'never-sent', directory: null, searched: everything },
      says: /^No user or group in 16 directories has .* No request since .* 2 directories, such as “Cobalt”, reject/,
      never: /could not arrive/,
    },
    search: [],
    overview: whatIsWrong,
  },
  {
    what: 'the only directory of the scope gets wrong secrets, and never had anybody',
    asked: 'stranger@nowhere.example',
    among: { directory: 'Cobalt' },
    explain: {
      ...{ verdict: 'unauthorized', directory: 'Cobalt', candidates: [] },
      ...{
        action: 'rotate-secret',
        says: /Whether stranger@nowhere.example was among them is not known/,
        never: /could not arrive/,
      },
    },
    search: [],
    overview: ['unauthorized'],
  },
  {
    what: 'somebody arrived before the secret became wrong',
    asked: 'dora@dunes.example',
    explain: { verdict: 'delivered', directory: 'Dunes', says: /has accepted it\. Since then, .* wrong secret/ },
    search: ['Dunes'],
    overview: ['unauthorized'],
  },
  {
    what: 'somebody was looked up before the secret became wrong',
    asked: 'lee@dunes.example',
    explain: { verdict: 'unauthorized', directory: 'Dunes', says: /Whether lee@dunes.example was among them is not/ },
    search: [],
    overview: ['unauthorized'],
  },
  // Absence
  {
    what: 'a tenant does not have somebody whom another one has',
    asked: 'kim@kelp.example',
    among: { tenant: 'acme' },
    explain: {
      ...{ verdict: 'never-sent', directory: null, searched: 2 },
      ...{ says: /in 2 directories of tenant “acme” has/, never: /Kelp|deactivated/ },
    },
    search: [],
    overview: [],
  },
  {
    what: 'a product does not have somebody whom another one has',
    asked: 'maya@shared.example',
    among: { product: 'mail' },
    explain: {
      ...{ verdict: 'never-sent', directory: 'Acme Mail', candidates: [], searched: 1 },
      ...{ says: /directory “Acme Mail” has no user or group maya@shared/i, never: /has accepted/ },
    },
    search: [],
    overview: [],
  },
  {
    what: 'somebody was in a directory that is deleted',
    asked: 'lena@lotus.example',
    explain: { verdict: 'never-sent', directory: null, says: /No user or group in 16 directories/, never: /Lotus/ },
    search: [],
    overview: whatIsWrong,
  },
  {
    what: 'a directory has never had a request',
    asked: 'stranger@nowhere.example',
    among: { directory: 'Quiet' },
    explain: { verdict: 'never-sent', directory: 'Quiet', candidates: [], says: /has not sent any requests yet/ },
    search: [],
    overview: ['never-connected'],
  },
  {
    what: 'a directory is not connected to Google',
    asked: 'stranger@nowhere.example',
    among: { directory: 'Juniper' },
    explain: {
      verdict: 'never-sent',
      directory: 'Juniper',
      candidates: [],
      action: 'reconnect',
      says: /is not connected to Google yet/,
    },
    search: [],
    overview: ['not-connected'],
  },
  {
    what: 'a directory is deactivated and does not know somebody',
    asked: 'stranger@nowhere.example',
    among: { directory: 'Kelp' },
    explain: { verdict: 'deactivated', directory: 'Kelp', candidates: [], says: /directory “Kelp” is deactivated/ },
    search: [],
    overview: ['deactivated'],
  },
  // Keys
  {
    what: 'a key of one tenant asks for somebody whom two tenants have',
    asked: 'maya@shared.example',
    key: 'of tenant acme',
    explain: { verdict: 'delivered', directory: 'Acme', says: /has accepted it/, searched: 2 },
    search: ['Acme'],
    overview: [],
  },
  {
    what: 'a key asks for somebody whom only another tenant has',
    asked: 'kim@kelp.example',
    key: 'of tenant acme',
    explain: { verdict: 'never-sent', directory: null, says: /directories of tenant “acme”/, never: /Kelp/ },
    search: [],
    overview: [],
  },
  {
    what: 'a key of another tenant asks for somebody by id',
    asked: 'id of Acme maya@shared.example',
    key: 'of tenant borealis',
    explain: { verdict: 'never-sent', directory: 'Borealis', candidates: [], says: /Borealis/, never: /Acme/ },
    search: [],
    overview: [],
  },
  {
    what: 'a key of one product asks for somebody',
    asked: 'mel@acme.example',
    key: 'of product mail',
    explain: { verdict: 'delivered', directory: 'Acme Mail', says: /has accepted it/, searched: 1 },
    search: ['Acme Mail'],
    overview: [],
  },
]

forEachEngine((engine) => {
  let service: TestService
  let consumer: Receiver
  let world: World
  const keys = new Map<string, string>()

  before(async () => {
    consumer = await startReceiver()
    service = await startTestService(engine, adminSettings)
    world = await createWorld(service, consumer)
    const admin = await login(service)
    for (const [name, scope] of Object.entries(keyScopes)) keys.set(name, (await makeKey(admin, name, scope)).key)
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await consumer[Symbol.asyncDispose]()
  })

  function subjectOf(asked: string): string {
    const name = /^id of (.*)$/.exec(asked)?.[1]
    return name === undefined ? asked : (world.ids.get(name) ?? assert.fail(name))
  }

  const headersOf = (key: Situation['key']) => ({ authorization: `Api-Key ${keyOf(key)}` })

  function keyOf(key: keyof typeof keyScopes | undefined): string {
    return key === undefined ? testApiKey : (keys.get(key) ?? assert.fail(key))
  }

  async function ask({ asked, among: { directory, ...scope } = {}, key }: Question) {
    const directoryId = directory === undefined ? {} : { directoryId: world.directories[directory].id }
    const query = new URLSearchParams({ subject: subjectOf(asked), ...directoryId, ...scope })
    return read<Explanation>('/explain', query, key)
  }

  async function read<T>(path: string, query: URLSearchParams, key: Situation['key']): Promise<T> {
    const { status, body, text } = await service.api('GET', `${path}?${query}`, undefined, headersOf(key))
    assert.equal(status, 200, text)
    return body.data as unknown as T
  }

  /** Searches for the same in the same scope. */
  async function search({ asked, among: { directory, ...scope } = {}, key }: Situation): Promise<string[]> {
    const directoryId = directory === undefined ? {} : { directoryId: world.directories[directory].id }
    const query = new URLSearchParams({ q: subjectOf(asked), ...directoryId, ...scope })
    const hits = await read<readonly SearchHitView[]>('/search', query, key)
    return hits.map(({ type, directory_name: name }) => (type === 'directory' ? `directory ${name}` : name)).toSorted()
  }

  /** The overview of the scope; of the directory of the verdict if that is everything. */
  async function overviewOf({ among, key, explain }: Situation): Promise<OverviewView> {
    const { directory = among === undefined && key === undefined ? explain.directory : null, ...scope } = among ?? {}
    const place = directory === null ? undefined : world.directories[directory]
    const query = place === undefined ? scope : { tenant: place.tenant, product: place.product }
    return read('/overview', new URLSearchParams(query), key)
  }

  for (const situation of situations) {
    test(`${situation.what}: it is ${situation.explain.verdict}`, async () => {
      const { verdict, directory, says, never, searched, subject, action } = situation.explain
      const answer = await ask(situation)
      assert.deepEqual([answer.verdict, answer.directory?.name ?? null], [verdict, directory], answer.sentence)
      assert.match(answer.sentence, says)
      if (never !== undefined) assert.doesNotMatch(`${answer.sentence} ${answer.for_customer}`, never)
      const expected = situation.explain.candidates ?? (directory === null ? [] : [directory])
      assert.deepEqual(answer.candidates.map((one) => one.directory.name).toSorted(), expected.toSorted())
      if (searched !== undefined) assert.equal(answer.searched.directories, searched)
      if (subject !== undefined) assert.equal(answer.subject?.name, subject)
      if (action !== undefined)
        assert.partialDeepStrictEqual(answer.action, { kind: action, directory_id: answer.directory?.id })
      assertHolds(answer)
      assert.deepEqual(await search(situation), situation.search)
      assertCounts(await overviewOf(situation), situation, searched)
    })
  }

  /** The overview counts the directories that are not healthy, and no others; it has as many as were searched. */
  function assertCounts({ directories, reasons, worst }: OverviewView, situation: Situation, searched?: number): void {
    const counted = reasons.flatMap(({ code, directories: count }) => Array.from({ length: count }, () => code))
    assert.deepEqual(counted.toSorted(), situation.overview.toSorted())
    assert.equal(worst.length, counted.length)
    assert.equal(directories.healthy, directories.total - counted.length)
    if (searched !== undefined) assert.equal(directories.total, searched)
  }

  /** What holds in every situation. */
  function assertHolds(answer: Explanation): void {
    const { candidates, directory, searched, verdict } = answer
    for (const text of [answer.sentence, answer.advice, answer.for_customer]) assertForPeople(text)
    if (verdict === 'never-sent') {
      assert.deepEqual([candidates, searched.complete], [[], true])
      assert.match(answer.sentence, /since \d|any requests yet|not connected/)
    }
    if (verdict === 'unauthorized') assert.ok(candidates.length > 0 || searched.directories === 1)
    if (candidates.length > 0)
      assert.deepEqual([candidates[0]?.verdict, candidates[0]?.directory], [verdict, directory])
    const others = Object.values(world.directories).filter(({ id }) => id !== directory?.id)
    for (const { name } of others) {
      const isCustomer = new RegExp(`“${name}”`)
      assert.doesNotMatch(answer.for_customer, isCustomer, 'a customer reads nothing about others')
      if (directory !== null) assert.doesNotMatch(answer.sentence, isCustomer)
    }
  }

  test('each candidate is asked for by the id of its directory and its own id', async () => {
    for (const asked of ['maya@shared.example', 'sales', 'team@acme.example', 'dean@shared.example', 'board']) {
      const { candidates } = await ask({ asked })
      assert.equal(candidates.length, 2)
      for (const { directory, id, verdict } of candidates) {
        const query = new URLSearchParams({ directoryId: directory.id, subject: id ?? '' })
        const answer = (await service.api('GET', `/explain?${query}`)).body.data as unknown as Explanation
        assert.deepEqual([answer.verdict, answer.candidates.length, answer.candidates[0]?.id], [verdict, 1, id])
      }
    }
  })

  test('of many candidates eight are listed, and five of them are explained', async () => {
    const { candidates, has_more_candidates: hasMore } = await ask({ asked: 'common@shared.example' })
    const explained = candidates.filter(({ verdict }) => verdict !== null)
    assert.deepEqual([candidates.length, explained.length, hasMore], [8, 5, true])
    assert.ok(candidates.every(({ at }) => at !== null))
  })

  test('the time of a verdict is that of a change by the provider, not of a resync', async () => {
    for (const asked of ['max@moss.example', 'mia@moss.example', 'Gardeners']) {
      const { at } = await ask({ asked })
      assert.ok((at ?? '') < world.resyncedAt, asked)
    }
  })

  test('a directory outside of the scope of a key does not exist for it', async () => {
    const path = `/explain?directoryId=${world.directories.Acme.id}&subject=maya`
    const headers = { authorization: `Api-Key ${keys.get('of tenant borealis')}` }
    assert.equal((await service.api('GET', path, undefined, headers)).status, 404)
    const elsewhere = await service.api('GET', '/explain?tenant=acme&subject=maya', undefined, headers)
    assert.equal(elsewhere.status, 403)
    assert.equal((await service.api('GET', `/explain?directoryId=${world.directories.Lotus.id}&subject=x`)).status, 404)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../../../tools/fake-google/endpoint.ts'
import type { Engine } from '../../support/database.ts'
import { forEachEngine } from '../../support/database.ts'
import { inOrderOfIds } from '../../support/rebuilt.ts'
import { replicaFrom } from '../../support/replica.ts'
import { failureModesOf } from '../../unit/fake-google/failures/failure-modes.ts'
import type { FaultCase } from './support/faulty-sync.ts'
import { checkFault, nameOf } from './support/faulty-sync.ts'
import { openCompany } from './support/pulled-company.ts'
import type { PulledStore } from './support/pulled-store.ts'
import { openPulledStore } from './support/pulled-store.ts'
import { openSmallCompany } from './support/small-company.ts'

/** Where answers fail, and on how many pages. */
const endpoints: readonly { readonly endpoint: Endpoint; readonly pages?: number }[] = [
  { endpoint: 'token' },
  { endpoint: 'users.list', pages: 3 },
  { endpoint: 'groups.list', pages: 2 },
  { endpoint: 'members.list', pages: 2 },
  { endpoint: 'users.get' },
  { endpoint: 'groups.get' },
  { endpoint: 'members.hasMember' },
]

/** PostgreSQL takes longer: of its cases every so manieth is tried. */
const step: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 15 }

forEachEngine((engine) => {
  let pulled: PulledStore
  before(async () => {
    pulled = await openPulledStore(engine)
  })
  after(() => pulled[Symbol.asyncDispose]())

  for (const { endpoint, pages } of endpoints) {
    for (let page = 1; page <= (pages ?? 1); page += 1) {
      const where = pages === undefined ? endpoint : `page ${page} of ${endpoint}`
      test(`${where} may fail in any way, once or every time: nobody is lost, and the next run completes`, async () => {
        await using company = await openCompany(pulled)
        const small = openSmallCompany(company.google)
        assert.equal((await company.sync()).state, 'completed')
        const failures: string[] = []
        const groupKey = endpoint === 'members.list' ? { groupKey: small.crowd } : {}
        const place = { endpoint, ...(pages && { page }), ...groupKey }
        for (const fault of casesAt(place).filter((_, index) => index % step[engine] === 0)) {
          await checkFault(company, small, fault).catch((error) => failures.push(`${nameOf(fault)}: ${error}`))
        }
        assert.deepEqual(failures, [])
        assert.deepEqual(inOrderOfIds(replicaFrom(await company.events())), inOrderOfIds(await company.replica()))
      })
    }
  }
})

/** What ends a run the first time is not asked for again. */
function casesAt(place: FaultCase['place']): FaultCase[] {
  return failureModesOf(place.endpoint).flatMap((mode) => {
    const once: FaultCase = { place, mode, times: 'once' }
    return mode.effect === 'ends' ? [once] : [once, { ...once, times: 'every time' }]
  })
}

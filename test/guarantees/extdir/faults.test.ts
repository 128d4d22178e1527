import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../../../tools/fake-google/endpoint.ts'
import { forEachEngine } from '../../support/database.ts'
import { runsAll } from '../../support/extent.ts'
import { inOrderOfIds } from '../../support/rebuilt.ts'
import { replicaFrom } from '../../support/replica.ts'
import { failureModesOf } from '../../unit/fake-google/failures/failure-modes.ts'
import type { FaultCase } from './support/faulty-sync.ts'
import { checkFault, nameOf } from './support/faulty-sync.ts'
import { openCompany } from './support/pulled-company.ts'
import type { PulledStore } from './support/pulled-store.ts'
import { openPulledStore } from './support/pulled-store.ts'
import { openSmallCompany } from './support/small-company.ts'

/** The requests whose responses fail, and the number of pages. */
const endpoints: readonly { readonly endpoint: Endpoint; readonly pages?: number }[] = [
  { endpoint: 'token' },
  { endpoint: 'users.list', pages: 3 },
  { endpoint: 'groups.list', pages: 2 },
  { endpoint: 'members.list', pages: 2 },
  { endpoint: 'users.get' },
  { endpoint: 'groups.get' },
  { endpoint: 'members.hasMember' },
]

/**
 * The cases that `npm test` tries: every n-th, on the first page and on the pages after it, which the client reads in
 * the same way. Each place starts at another case. `npm run test:all` tries every case.
 */
const steps = { firstPage: 11, laterPages: 31 }

forEachEngine((engine) => {
  let pulled: PulledStore
  before(async () => {
    pulled = await openPulledStore(engine)
  })
  after(() => pulled[Symbol.asyncDispose]())

  for (const [index, { endpoint, pages }] of endpoints.entries()) {
    for (let page = 1; page <= (pages ?? 1); page += 1) {
      const where = pages === undefined ? endpoint : `page ${page} of ${endpoint}`
      test(`a failure of any kind at ${where}, once or every time, loses nobody, and the next run completes`, async () => {
        await using company = await openCompany(pulled)
        const small = openSmallCompany(company.google)
        assert.equal((await company.sync()).state, 'completed')
        const failures: string[] = []
        const groupKey = endpoint === 'members.list' ? { groupKey: small.crowd } : {}
        const place = { endpoint, ...(pages && { page }), ...groupKey }
        const step = runsAll ? 1 : page === 1 ? steps.firstPage : steps.laterPages
        for (const fault of casesAt(place).filter((_, n) => n % step === (index + page) % step)) {
          await checkFault(company, small, fault).catch((error) => failures.push(`${nameOf(fault)}: ${error}`))
        }
        assert.deepEqual(failures, [])
        assert.deepEqual(inOrderOfIds(replicaFrom(await company.events())), inOrderOfIds(await company.replica()))
      })
    }
  }
})

/** A failure that ends a run the first time cannot happen twice in it. */
function casesAt(place: FaultCase['place']): FaultCase[] {
  return failureModesOf(place.endpoint).flatMap((mode) => {
    const once: FaultCase = { place, mode, times: 'once' }
    return mode.effect === 'ends' ? [once] : [once, { ...once, times: 'every time' }]
  })
}

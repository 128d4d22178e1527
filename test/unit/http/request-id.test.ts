import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIdFor } from '../../../src/http/scim/recording.ts'
import { directorySuffixIn } from '../../../src/ids/request-id.ts'

const directoryId = '01910000-0000-7000-8000-00000000abcd'
const encoded = directoryId.replaceAll(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`)

for (const { title, url } of [
  { title: 'as it is', url: `/api/scim/v2.0/${directoryId}/Users?filter=x` },
  { title: 'without anything behind it', url: `/api/scim/v2.0/${directoryId}` },
  { title: 'in another letter case of the path', url: `/API/scim/V2.0/${directoryId}/Users` },
  { title: 'percent-encoded', url: `/api/scim/v2.0/${encoded}/Users` },
  { title: 'in a percent-encoded path', url: `/api/sc%69m/v2.0/${directoryId}/Users` },
  { title: 'before an invalid escape', url: `/api/scim/v2.0/${directoryId}/Users/%zz` },
]) {
  test(`a request id ends like the id of its directory: ${title}`, () => {
    assert.equal(directorySuffixIn(requestIdFor(url)), '00abcd')
  })
}

test('a request without a directory has an id of its own', () => {
  for (const url of [undefined, '/healthz', '/api/scim/v2.0/%zz/Users', `/x?y=/api/scim/v2.0/${directoryId}`]) {
    assert.match(requestIdFor(url), /^[0-9a-f-]{36}$/)
    assert.notEqual(directorySuffixIn(requestIdFor(url)), '00abcd')
  }
})

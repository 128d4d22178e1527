import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DirectoryError } from '../../../src/directory/errors.ts'
import type { EntraFederation } from '../../../src/setup/entra-federation.ts'
import { checkedFederation } from '../../../src/setup/entra-federation.ts'

const tenant = 'ce5f061f-abe6-4e40-9615-301f87bcb7f0'
const other = '11111111-abe6-4e40-9615-301f87bcb7f0'
const app = 'b5ba7a93-4452-4522-aeb4-a2b5da870c16'

/** The values as Entra ID shows them. */
const shown: EntraFederation = {
  issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
  jwks_url: `https://login.microsoftonline.com/${tenant}/discovery/v2.0/keys`,
  subject: 'd2f8ee76-c549-45b8-a143-f5b640669704',
  audience: `api://${app}/.default`,
}

/** The fields with problems. */
function problemsOf(changes: Partial<EntraFederation>): string[] {
  try {
    checkedFederation({ ...shown, ...changes })
    return []
  } catch (error) {
    assert(error instanceof DirectoryError)
    return error.problems.map(({ field }) => field)
  }
}

for (const [what, changes] of Object.entries({
  'as Entra ID shows them': {},
  'with the audience of the assertion': { audience: `api://${app}` },
  'with the application id as audience': { audience: app },
  'with the older host of the keys': { jwks_url: `https://login.windows.net/${tenant}/discovery/v2.0/keys` },
  'of the cloud for the US government': {
    issuer: `https://login.microsoftonline.us/${tenant}/v2.0`,
    jwks_url: `https://login.microsoftonline.us/${tenant}/discovery/v2.0/keys`,
  },
})) {
  test(`values of a workload identity ${what} are accepted`, () => {
    assert.deepEqual(problemsOf(changes), [])
  })
}

test('blanks around a pasted value are removed, and capitals are written small, as in assertions', () => {
  const values = { ...shown, issuer: ` ${shown.issuer}\n`, subject: `\t${shown.subject.toUpperCase()}` }
  assert.deepEqual(checkedFederation(values), shown)
})

for (const { changes, fields, because } of [
  { changes: { issuer: '' }, fields: ['issuer'], because: 'there is no issuer' },
  {
    changes: { issuer: `https://login.microsoftonline.com/${tenant}` },
    fields: ['issuer'],
    because: 'the issuer has no version, and no assertion has such an issuer',
  },
  { changes: { issuer: `${shown.issuer}/` }, fields: ['issuer'], because: 'the issuer ends with a slash' },
  {
    changes: { issuer: `http://login.microsoftonline.com/${tenant}/v2.0` },
    fields: ['issuer'],
    because: 'the issuer is not https',
  },
  {
    changes: { issuer: 'https://login.microsoftonline.com/common/v2.0' },
    fields: ['issuer'],
    because: 'the issuer is that of every tenant',
  },
  {
    changes: { issuer: `https://login.microsoftonline.com.evil.example/${tenant}/v2.0` },
    fields: ['issuer'],
    because: 'the issuer is another host that begins alike',
  },
  {
    changes: { issuer: `https://login.microsoftonline.com@evil.example/${tenant}/v2.0` },
    fields: ['issuer'],
    because: 'the issuer has Microsoft as the user name',
  },
  {
    changes: { jwks_url: `https://login.microsoftonline.com/${other}/discovery/v2.0/keys` },
    fields: ['jwks_url'],
    because: 'the keys are of another tenant',
  },
  {
    changes: { jwks_url: `https://login.microsoftonline.us/${tenant}/discovery/v2.0/keys` },
    fields: ['jwks_url'],
    because: 'the keys are of another cloud',
  },
  {
    changes: { jwks_url: `https://evil.example/${tenant}/discovery/v2.0/keys` },
    fields: ['jwks_url'],
    because: 'the keys are of another host',
  },
  { changes: { jwks_url: shown.issuer }, fields: ['jwks_url'], because: 'the issuer was pasted as the JWKS URL' },
  { changes: { subject: shown.audience }, fields: ['subject'], because: 'the audience was pasted as the subject' },
  { changes: { audience: 'api://' }, fields: ['audience'], because: 'the audience has no application' },
  { changes: { audience: shown.issuer }, fields: ['audience'], because: 'the issuer was pasted as the audience' },
  {
    changes: { issuer: 'x', jwks_url: 'x', subject: 'x', audience: 'x' },
    fields: ['issuer', 'jwks_url', 'subject', 'audience'],
    because: 'nothing is right',
  },
]) {
  test(`rejects ${fields.join(', ')}: ${because}`, () => {
    assert.deepEqual(problemsOf(changes), fields)
  })
}

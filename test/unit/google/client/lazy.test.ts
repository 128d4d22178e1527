import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { oauthAt } from './support/oauth-at.ts'
import { scriptedGoogle } from './support/scripted-google.ts'
import { workspaceAt } from './support/workspace-at.ts'

/** How many files of Google's libraries are loaded. */
function filesOfGoogle(): number {
  const { cache } = createRequire(import.meta.url)
  return Object.keys(cache).filter((path) => /node_modules\/(@googleapis|google-auth-library|gaxios)\//.test(path))
    .length
}

test("Google's libraries are loaded by the first request", async () => {
  await using google = await scriptedGoogle([{ body: { kind: 'admin#directory#users' } }])
  const { workspace } = workspaceAt(google.url)
  const request = { redirectUri: 'https://a.example.com', state: 's', codeChallenge: 'c', domain: undefined }
  oauthAt(google.url).oauth.authorizationUrl(request)
  assert.equal(filesOfGoogle(), 0)
  await workspace.listUsers()
  assert(filesOfGoogle() > 0)
})

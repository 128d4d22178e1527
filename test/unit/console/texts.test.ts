import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adoptionTexts } from '../../../console/src/texts/adoption.ts'
import { en } from '../../../console/src/texts/en.ts'
import { ApiKeyInput } from '../../../src/admin/keys/managed-keys.ts'
import { ReplayInput, SkipInput } from '../../../src/delivery/control.ts'
import { AccountInput } from '../../../src/directory/account-links.ts'
import { CreateDirectoryInput, UpdateDirectoryInput } from '../../../src/directory/inputs.ts'
import { errorCodes } from '../../../src/error-response.ts'
import { OAuthClientInput } from '../../../src/oauth/inputs.ts'
import { EraseInput } from '../../../src/privacy/inputs.ts'
import { SetupLinkInput } from '../../../src/setup/inputs.ts'
import { assertForPeople } from '../../support/api-words.ts'

/** What texts with parts are called with, the first that fits: numbers, lists, figures and names. */
const parts = [
  ...[[7, 7, 7, 7], [7, []], [[]], [{ directories: 7, complete: false }]],
  [{ users: 7, inactive_users: 7, groups: 7, is_at_least: true }],
  ['directory.created'],
  [['webhook_url']],
]

/** Every text below a part of the texts. */
function textsIn(texts: unknown): readonly string[] {
  if (typeof texts === 'string') return [texts]
  if (typeof texts !== 'function') return Object.values(texts as object).flatMap(textsIn)
  for (const given of parts) {
    try {
      return textsIn(texts(...given))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
  throw new Error(`No parts fit ${texts}.`)
}

test('no text of the console has a route, a method or a field of the API', () => {
  const texts = textsIn({ en, adoptionTexts })
  assert.ok(texts.length > 700)
  for (const text of texts) assertForPeople(text)
})

test('every error of the service has a text for people, which says what to do', () => {
  assert.deepEqual(Object.keys(en.errors).toSorted(), errorCodes.toSorted())
  for (const text of Object.values(en.errors)) assert.match(text, /^[A-Z].*[.;:].* .*\.$/)
})

/** What the forms of the console send, and no form can get wrong: they are chosen, switched or left out. */
const chosen = new Set([
  ...[
    'type',
    'log_webhook_events',
    'log_scim_requests',
    'unique_group_names',
    'scim_auth',
    'scim_profile',
    'adoption',
    'deactivated',
  ],
  ...['outside_domains', 'expires_in_days', 'expires_at', 'scope', 'expiryDays', 'regenerate', 'service', 'dry_run'],
  ...['extdir_domain', 'extdir_access_token', 'extdir_refresh_token', 'extdir_service_account'],
  ...['extdir_subject', 'directoryId', 'sequence', 'from_sequence'],
])

test('every field that somebody can fill in wrongly has a text that says what to enter', () => {
  const inputs = [CreateDirectoryInput, UpdateDirectoryInput, OAuthClientInput, ApiKeyInput, SetupLinkInput]
  const schemas = [...inputs, AccountInput, EraseInput, ReplayInput, SkipInput]
  const fields = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))
  assert.deepEqual(new Set(Object.keys(en.problems)), fields.difference(chosen))
})

import assert from 'node:assert/strict'

/** The names of SCIM attributes that identity providers show to their administrators. */
const attributes = new Set(['userName', 'externalId', 'userType'])

/** The routes, HTTP methods, field names and JSON in a text, which only callers of the API know. */
function apiWordsIn(text: string): readonly string[] {
  const found = [
    /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b/g,
    // A route, such as /:id/resume or /feed; organizational units begin with a capital letter, and addresses have a host.
    /(?<![\w./:])\/:?[a-z][\w/:-]*/g,
    /\b[a-z]+(?:_[a-z]+)+\b/g,
    /\b[a-z]+[A-Z]\w*/g,
    /\{["}]|: (?:true|false|null)\b/g,
  ].flatMap((pattern) => text.match(pattern) ?? [])
  return found.filter((word) => !attributes.has(word))
}

/** Fails if a text that people read has words of the API. */
export function assertForPeople(text: string): void {
  assert.deepEqual(apiWordsIn(text), [], text)
}

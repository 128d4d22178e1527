import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { deadAnchors, githubSlug } from '../../site/anchors.ts'
import type { ApiDocument } from '../../site/api-reference.ts'
import { apiReference } from '../../site/api-reference.ts'

for (const [heading, slug] of [
  ['Notices to the operator', 'notices-to-the-operator'],
  ['Process events with rollcall/webhooks', 'process-events-with-rollcallwebhooks'],
  ["`removal_limit`: what's held", 'removal_limit-whats-held'],
  ['Requests, traces and timelines', 'requests-traces-and-timelines'],
  ['Zoë – and others', 'zoë--and-others'],
  ['1.2 Node.js 24', '12-nodejs-24'],
] as const) {
  test(`the site links to "${heading}" by the name that GitHub gives it`, () => assert.equal(githubSlug(heading), slug))
}

test('links of the built site to headings that do not exist are found, on the same page and on others', () => {
  const site = new Map([
    ['/events', '<h2 id="a">A</h2><a href="#a"></a><a href="#b"></a><a href="/providers/okta#steps"></a>'],
    ['/providers/okta', '<h2 id="steps"></h2><a href="../events#zo%C3%AB"></a><a href="../events#a"></a>'],
    ['/', '<a href="/events.html#c&amp;d"></a><a href="https://example.com/events#e"></a><a href="/events"></a>'],
  ])
  assert.deepEqual(deadAnchors(site), ['/events: #b', '/providers/okta: ../events#zo%C3%AB', '/: /events.html#c&d'])
})

test('the API reference of the site begins with directories, and has its tags in the order of the description', async () => {
  const document: ApiDocument = JSON.parse(
    await readFile(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
  )
  const sections = [...apiReference(document).matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  const known = document.tags.map(({ name }) => name).filter((name) => name !== 'Events' && name !== 'Notices')
  assert.deepEqual(sections, [...known, 'Events', 'Notices', 'Schemas'])
  assert.match(apiReference(document), /^## Directory sync\n\n.*\n\n### List the directories/m)
  const events = apiReference(document).split('\n## Events\n')[1]?.split('\n## Notices\n')
  assert.match(events?.[0] ?? '', /`user\.created`/)
  assert.doesNotMatch(events?.[0] ?? '', /`sync\.held`/)
})

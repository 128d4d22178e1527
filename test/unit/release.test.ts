import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { changelogProblems } from '../../scripts/changelog.ts'

const head = '# Changelog\n\nChanges.\n\n'

for (const { what, sections, problem } of [
  { what: 'a dated section', sections: '## Unreleased\n\n## 1.1.0 — 2026-01-31\n\n- A\n', problem: undefined },
  { what: 'no section', sections: '', problem: /must begin with a section "Unreleased"/ },
  {
    what: 'unreleased changes',
    sections: '## Unreleased\n\n- B\n\n## 1.1.0 — 2026-01-31\n',
    problem: /^Move what is under "Unreleased" in CHANGELOG\.md to 1\.1\.0\.$/,
  },
  {
    what: 'another version',
    sections: '## Unreleased\n\n## 1.0.0 — 2026-01-31\n',
    problem: /^The newest version in CHANGELOG\.md must be 1\.1\.0/,
  },
  { what: 'no day', sections: '## Unreleased\n\n## 1.1.0\n', problem: /must have the day, like "## 1\.1\.0 — / },
]) {
  test(`a changelog with ${what} ${problem === undefined ? 'fits a release' : 'is refused'}`, () => {
    const [first] = changelogProblems(head + sections, '1.1.0')
    if (problem === undefined) assert.equal(first, undefined)
    else assert.match(String(first), problem)
  })
}

test('CHANGELOG.md has a dated section of the present version', async () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(await read('package.json')) as { readonly version: string }
  // Changes since the release are under "Unreleased".
  const changelog = (await read('CHANGELOG.md')).replace(/^(## Unreleased\n).*?(?=^## )/ms, '$1\n')
  assert.deepEqual(changelogProblems(changelog, version), [])
})

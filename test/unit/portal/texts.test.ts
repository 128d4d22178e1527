import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { de } from '../../../console/src/portal/texts/de.ts'
import { en } from '../../../console/src/portal/texts/en.ts'
import { es } from '../../../console/src/portal/texts/es.ts'
import { fr } from '../../../console/src/portal/texts/fr.ts'
import { ja } from '../../../console/src/portal/texts/ja.ts'
import type { PortalTexts } from '../../../console/src/portal/texts/texts.ts'

const folder = new URL('../../../console/src/portal/texts/', import.meta.url)
const languages: Readonly<Record<string, PortalTexts>> = { en, de, es, fr, ja }
/** What a text gets as the values of its parameters. */
const placeholders = ['‹one›', '‹two›']

/** Every text by its path, with placeholders in place of its parameters. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value(...placeholders))]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, `${path}/${key}`))
}

function placeholdersIn(text: string): string[] {
  return placeholders.filter((placeholder) => text.includes(placeholder))
}

const english = new Map(textsIn(en))

for (const [language, texts] of Object.entries(languages)) {
  const own = new Map(textsIn(texts))

  test(`the portal has every text in ${language}, none of them empty`, () => {
    const paths = [...own.keys()].filter((path) => !path.startsWith('/steps/labels/'))
    assert.deepEqual(paths, [...english.keys()])
    for (const [path, text] of own) assert.ok(text.trim() !== '', path)
  })

  test(`the texts in ${language} show the same values as those in English`, () => {
    for (const [path, text] of english) {
      assert.deepEqual(placeholdersIn(own.get(path) ?? ''), placeholdersIn(text), path)
    }
  })
}

for (const [language, texts] of Object.entries(languages)) {
  if (language === 'en') continue
  test(`the texts in ${language} are translated`, () => {
    const alike = textsIn(texts).filter(([path, text]) => english.get(path) === text)
    // Words that are the same in the languages, such as "Application".
    assert.ok(alike.length <= 4, alike.join('\n'))
  })
}

test('every file of texts is a language of the portal', () => {
  const files = readdirSync(folder).filter((name) => /^[a-z]{2}\.ts$/.test(name))
  assert.deepEqual(
    files,
    Object.keys(languages)
      .toSorted()
      .map((language) => `${language}.ts`),
  )
  const source = readFileSync(new URL('../languages.ts', folder), 'utf8')
  for (const language of Object.keys(languages))
    assert.ok(source.includes(`import('./texts/${language}.ts')`), language)
})

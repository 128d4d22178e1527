import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { colorsFrom, contrastOf } from '../../../console/src/portal/colors.ts'
import { cases } from '../../support/extent.ts'

/** The text and the background of everything that the theme colors, by the numbers of their shades. */
const uses = [
  { use: 'a link in the light appearance', text: 8, on: '#ffffff' },
  { use: 'a link on a light panel', text: 8, on: '#f1f3f5' },
  { use: 'a tinted button', text: 9, on: 1 },
  { use: 'a tinted button under the pointer', text: 9, on: 2 },
  { use: 'black text on a tint', text: '#000000', on: 1 },
  { use: 'a link in the dark appearance', text: 4, on: '#242424' },
  { use: 'a link on a dark panel', text: 4, on: '#2e2e2e' },
  { use: 'an outline in the dark appearance', text: 3, on: '#2e2e2e' },
] as const

/** The shades of filled buttons, light and dark, and under the pointer; the theme writes white on all of them. */
const fills = [7, 8, 9] as const

/** The darkened shade that the dark appearance uses as a tint. */
function darkTint(shade: string): string {
  const halves = [1, 3, 5].map((start) => Math.round(Number.parseInt(shade.slice(start, start + 2), 16) / 2))
  return `#${halves.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function assertReadable(color: string): void {
  const shades = colorsFrom(color)
  const colorAt = (part: number | string) => (typeof part === 'string' ? part : (shades[part] ?? ''))
  for (const { use, text, on } of uses) {
    const contrast = contrastOf(colorAt(text), colorAt(on))
    assert.ok(contrast >= 4.5, `${use} of ${color}: ${contrast}`)
  }
  for (const fill of fills) {
    const background = colorAt(fill)
    assert.ok(contrastOf('#ffffff', background) >= 4.5, `a button of ${color}: ${background}`)
  }
  const tint = darkTint(colorAt(9))
  assert.ok(contrastOf(colorAt(0), tint) >= 4.5, `a tinted button of ${color} in the dark appearance`)
  assert.ok(contrastOf(colorAt(7), '#242424') >= 3, `the edge of a button of ${color} in the dark appearance`)
}

for (const color of [
  '#000000',
  '#ffffff',
  '#ffff00',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#1d4ed8',
  '#0f766e',
  '#808080',
]) {
  test(`everything in ${color} can be read, in the light and in the dark appearance`, () => assertReadable(color))
}

test('everything in any color can be read', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'))
  const anyColor = fc.tuple(channel, channel, channel).map((channels) => `#${channels.join('')}`)
  fc.assert(fc.property(anyColor, assertReadable), { numRuns: cases(500) })
})

test('a color that can be read is left as it is', () => {
  assert.equal(colorsFrom('#0f766e')[6], '#0f766e')
  assert.equal(colorsFrom('#0f766e')[8], '#0c5e58')
})

test('contrast is measured as WCAG does', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21)
  assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitToWidth, padToWidth } from '../../../src/cli/terminal/display-width.ts'
import { consoleText } from '../../../src/cli/terminal/first-steps.ts'
import { createPalette } from '../../../src/cli/terminal/palette.ts'
import { createProgress } from '../../../src/cli/terminal/progress.ts'
import { countOf, formatMs } from '../../../src/cli/terminal/quantity.ts'
import { renderTable } from '../../../src/cli/terminal/table.ts'
import { fakeIo } from './support/fake-io.ts'

for (const { text, columns } of [
  { text: 'Maya', columns: 4 },
  { text: '健二 佐藤', columns: 9 },
  { text: '서연', columns: 4 },
  { text: 'Zoe\u0308', columns: 3 },
  { text: 'Олена', columns: 5 },
  { text: '\u001b[32mgreen\u001b[39m', columns: 5 },
  { text: '🙂', columns: 2 },
]) {
  test(`${text} takes ${columns} columns`, () => assert.equal(padToWidth(text, columns + 2), `${text}  `))
}

for (const { text, columns, fitted } of [
  { text: 'Lindqvist', columns: 9, fitted: 'Lindqvist' },
  { text: 'Lindqvist', columns: 6, fitted: 'Lindq…' },
  { text: '健二佐藤', columns: 6, fitted: '健二…' },
]) {
  test(`${text} is cut to ${columns} columns: ${fitted}`, () => assert.equal(fitToWidth(text, columns), fitted))
}

for (const { server, text } of [
  { server: { hasConsole: true }, text: /^Console: http:\/\/localhost\/console\n$/ },
  { server: { hasConsole: true, link: 'http://localhost/console#code=1' }, text: /#code=1\n +\(opens it signed in/ },
  { server: { hasConsole: false, link: 'http://localhost/console#code=1' }, text: /^Console: not built[^#]+\n$/ },
]) {
  test(`the start shows ${text} for ${JSON.stringify(server)}`, () => {
    const { hasConsole, link } = { link: undefined, ...server }
    assert.match(consoleText({ baseUrl: 'http://localhost', hasConsole, signInLink: () => link }), text)
  })
}

test('the link of a demo, on a database of its own, comes with the command that prints another for that one', () => {
  const server = { baseUrl: 'http://localhost', hasConsole: true, signInLink: () => 'http://localhost/console#code=1' }
  assert.match(consoleText(server), /; rollcall console-link prints another/)
  const text = consoleText(server, 'sqlite:./data/demo/rollcall.db')
  assert.match(text, /; DATABASE_URL=sqlite:\.\/data\/demo\/rollcall\.db rollcall console-link prints another/)
})

test('a table is aligned by display width, and control characters cannot break it', () => {
  const columns = [
    { title: 'name', maxWidth: 10 },
    { title: 'count', align: 'right' },
  ] as const
  const rows = [
    ['健二', '7'],
    ["O'Hara\n\u001b[2J", '12'],
  ]
  const text = renderTable(columns, rows, createPalette(fakeIo()))
  assert.equal(text, "  name        count\n  健二            7\n  O'Hara [2J     12\n")
})

for (const { isTTY, env, coloured } of [
  { isTTY: true, env: {}, coloured: true },
  { isTTY: false, env: {}, coloured: false },
  { isTTY: true, env: { NO_COLOR: '1' }, coloured: false },
]) {
  test(`text is ${coloured ? 'coloured' : 'plain'} with isTTY ${isTTY} and ${JSON.stringify(env)}`, () => {
    const { red } = createPalette(fakeIo({ isTTY, env }))
    assert.equal(red('x') !== 'x', coloured)
  })
}

test('without a terminal a step is one line, written when it is complete', () => {
  const io = fakeIo()
  const progress = createProgress(io)
  for (const done of [0, 1, 2]) progress.show({ label: 'create users', done, total: 2, note: '4 calls' })
  progress.end()
  assert.equal(io.out(), '  create users          2/2  4 calls\n')
})

test('on a terminal a step is redrawn in place, and completing it ends the line', () => {
  const io = fakeIo({ isTTY: true, env: { NO_COLOR: '1' } })
  const progress = createProgress(io)
  for (const done of [0, 1, 2]) progress.show({ label: 'create users', done, total: 2, note: '' })
  const drawn = io.out().replaceAll('\r\u001b[2K', '|')
  assert.match(drawn, /^\| {2}create users +░{24} {2}0\/2\| {2}create users +█{24} {2}2\/2\n$/)
})

test('ending an incomplete step keeps its line', () => {
  const io = fakeIo({ isTTY: true })
  const progress = createProgress(io)
  progress.show({ label: 'create users', done: 0, total: 2, note: '' })
  progress.end()
  progress.end()
  assert.equal(io.out().match(/\n/g)?.length, 1)
})

for (const { ms, text } of [
  { ms: 0.853, text: '0.85 ms' },
  { ms: 12.34, text: '12.3 ms' },
  { ms: 12, text: '12 ms' },
  { ms: 940.2, text: '940 ms' },
  { ms: 3210, text: '3.2 s' },
]) {
  test(`${ms} ms reads ${text}`, () => assert.equal(formatMs(ms), text))
}

test('nouns agree with their count', () => {
  assert.deepEqual([countOf(1, 'user'), countOf(1200, 'user')], ['1 user', '1,200 users'])
})

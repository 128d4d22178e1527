import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTraceState } from '@opentelemetry/api'
import {
  parseTraceHeaders,
  readTraceContext,
  traceHeaders,
  writeTraceContext,
} from '../../src/tracing/trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const ids = `${traceId}-${spanId}`
const span = { traceId, spanId, traceFlags: 1, isRemote: true }

for (const { traceparent, flags, because } of [
  { traceparent: `00-${ids}-01`, flags: 1, because: 'it is complete' },
  { traceparent: `00-${ids}-00`, flags: 0, because: 'the trace is not sampled' },
  { traceparent: `00-${ids}-ff`, flags: 1, because: 'flags that this version does not know are ignored' },
  { traceparent: `cc-${ids}-01-more`, flags: 1, because: 'a later version may have more fields' },
]) {
  test(`accepts ${traceparent}: ${because}`, () => {
    assert.deepEqual(parseTraceHeaders({ traceparent }, createTraceState), { ...span, traceFlags: flags })
  })
}

for (const { traceparent, because } of [
  { traceparent: undefined, because: 'it is missing' },
  { traceparent: '', because: 'it is empty' },
  { traceparent: `00-${ids}`, because: 'there are no flags' },
  { traceparent: `00-${ids}-01-more`, because: 'this version has no more fields' },
  { traceparent: `cc-${ids}-01more`, because: 'further fields begin with a dash' },
  { traceparent: `ff-${ids}-01`, because: 'the version is invalid' },
  { traceparent: `00-${ids.toUpperCase()}-01`, because: 'the letters are upper-case' },
  { traceparent: `00-${'0'.repeat(32)}-${spanId}-01`, because: 'the trace id is zero' },
  { traceparent: `00-${traceId}-${'0'.repeat(16)}-01`, because: 'the span id is zero' },
  { traceparent: `00-${ids}-01, 00-${ids}-01`, because: 'it was sent twice' },
  { traceparent: [`00-${ids}-01`], because: 'it is a list' },
]) {
  test(`ignores the traceparent ${traceparent}: ${because}`, () => {
    const headers = { traceparent, tracestate: 'vendor=value' }
    assert.equal(parseTraceHeaders(headers, createTraceState), undefined)
  })
}

for (const { tracestate, kept } of [
  { tracestate: undefined, kept: '' },
  { tracestate: 'vendor=value', kept: 'vendor=value' },
  { tracestate: 'a=some value , b@tenant=2', kept: 'a=some value,b@tenant=2' },
  { tracestate: 'Invalid=1,=2,b=3', kept: 'b=3' },
  { tracestate: `a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(250)}`, kept: '' },
]) {
  test(`an event is stored with, and delivered with, the tracestate ${kept} for ${tracestate?.slice(0, 30)}`, () => {
    const given = parseTraceHeaders({ traceparent: `00-${ids}-01`, tracestate }, createTraceState)
    assert(given !== undefined)
    const stored = writeTraceContext(given)
    assert.equal(stored, `00-${ids}-01 ${kept}`.trim())
    const read = readTraceContext(stored, createTraceState)
    assert.deepEqual(read && traceHeaders(read), { traceparent: `00-${ids}-01`, ...(kept && { tracestate: kept }) })
  })
}

test('a span without a trace is not stored and adds no headers', () => {
  const invalid = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }
  assert.deepEqual([writeTraceContext(invalid), traceHeaders(invalid)], [undefined, {}])
})

for (const stored of [undefined, '', 'x', `x 00-${ids}-01`]) {
  test(`an event stored with ${stored} has no trace`, () => {
    assert.equal(readTraceContext(stored, createTraceState), undefined)
  })
}

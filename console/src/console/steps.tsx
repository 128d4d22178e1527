import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DirectoryEvent, RoleReason, ScimRequest, TimelineEntry, Trace } from '../api/types.ts'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/texts.ts'
import type { IconName } from '../ui/icons.tsx'
import { Name } from '../ui/name.tsx'
import type { Tone } from '../ui/status.tsx'
import { ResponseStatus, Status } from '../ui/status.tsx'
import type { TimelineStep } from '../ui/timeline.tsx'
import { reasonsText } from './mapping/reason-text.ts'

/** A value in a line; the whole of a long one is in the title. */
function Shown({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return '–'
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  if (isList && value.length === 0) return '–'
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value)
  return text.length > 120 ? <bdi title={text}>{`${text.slice(0, 119)}…`}</bdi> : <bdi>{text}</bdi>
}

/** The top-level attributes that differ. */
function changedFields(before: unknown, after: unknown): readonly string[] {
  const [from, to] = [before, after].map((value) => (value ?? {}) as Readonly<Record<string, unknown>>)
  const names = new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])
  return [...names].filter((name) => name !== 'meta' && JSON.stringify(from?.[name]) !== JSON.stringify(to?.[name]))
}

interface Difference {
  readonly name: string
  readonly from: unknown
  readonly to: unknown
  /** Why, for roles. */
  readonly because?: readonly RoleReason[] | undefined
}

/** The differences as a list: what was, and what is. */
function Differences({ rows }: { readonly rows: readonly Difference[] }) {
  const texts = useTexts()
  return (
    <ul className="differences">
      {rows.map(({ name, from, to, because = [] }) => (
        <li key={name}>
          <span>{name}</span>
          <del>
            <Shown value={from} />
          </del>
          <ins>
            <Shown value={to} />
          </ins>
          {because.length === 0 ? null : <small>{reasonsText(because, texts.roles)}</small>}
        </li>
      ))}
    </ul>
  )
}

/** Describes a change of members; undefined for another change. The steps of its events say whose membership it was. */
function memberChange({ timeline }: Texts, before: unknown, after: unknown): string | undefined {
  const [from, to] = [before, after].map((value) => (value as { members?: unknown }).members)
  if (!Array.isArray(from) || !Array.isArray(to)) return undefined
  return to.length > from.length ? timeline.memberAdded(to.length) : timeline.memberRemoved(from.length)
}

/** Whom or what an event is about. */
export function EventSubject({ event: { data } }: { readonly event: Pick<DirectoryEvent, 'data'> }) {
  const { email, name, group, raw } = data as {
    email?: string
    name?: string
    group?: { name?: string }
    raw?: { userName?: string; displayName?: string }
  }
  const subject = email ?? name ?? raw?.userName ?? raw?.displayName ?? ''
  return (
    <>
      <Name>{subject}</Name>
      {group?.name === undefined ? null : (
        <>
          {' → '}
          <Name>{group.name}</Name>
        </>
      )}
    </>
  )
}

/** The type of an event, and whom it is about. */
function EventTitle({ event }: { readonly event: Pick<DirectoryEvent, 'event' | 'data'> }) {
  return (
    <>
      <code>{event.event}</code> <EventSubject event={event} />
    </>
  )
}

/** Describes a change and its attributes. */
function changeStep(texts: Texts, key: string, at: string | null, before: unknown, after: unknown): TimelineStep {
  const { timeline } = texts
  if (before === null || before === undefined) return { key, kind: 'change', at, title: timeline.created }
  if (after === null || after === undefined) return { key, kind: 'change', at, title: timeline.deleted }
  const members = memberChange(texts, before, after)
  if (members !== undefined) return { key, kind: 'change', at, title: members }
  const names = changedFields(before, after)
  const [from, to] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  return {
    key,
    kind: 'change',
    at,
    title: timeline.changed(names.join(', ')),
    detail: <Differences rows={names.map((name) => ({ name, from: from[name], to: to[name] }))} />,
  }
}

function deliveryState(status: number | null, error: string | null): ReactNode {
  return status === null && error === null ? null : <ResponseStatus status={status} />
}

/** Why an attempt failed, and what the endpoint responded. */
function AttemptDetail({ error, body }: { readonly error: string | null; readonly body: string | null }) {
  const texts = useTexts()
  if (body === null) return error
  return (
    <>
      {error}
      <section className="json" aria-label={texts.requests.responseBody}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
        <pre tabIndex={0}>{body}</pre>
      </section>
    </>
  )
}

function requestStep({ id, at, method, path, status, detail }: ScimRequest): TimelineStep {
  const title = (
    <>
      <code>{method}</code> {readablePath(path)}
    </>
  )
  return { key: id, kind: 'request', at, title, state: <ResponseStatus status={status} />, detail }
}

/** A path with its filter as it was written. */
export function readablePath(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '))
  } catch {
    return path
  }
}

/** The request → change → event → delivery trace as the steps of a timeline. */
export function traceSteps({ request, changes, events }: Trace, texts: Texts): readonly TimelineStep[] {
  const { timeline } = texts
  return [
    ...(request === null ? [] : [requestStep(request)]),
    ...(changes.length === 0
      ? [{ key: 'no-change', kind: 'change', at: null, title: timeline.noChange } as const]
      : changes.map(({ resource, before, after }, index) => {
          const step = changeStep(texts, `change ${index}`, request?.at ?? null, before, after)
          return {
            ...step,
            title: (
              <>
                {resource.type} {step.title}
              </>
            ),
          }
        })),
    ...events.flatMap(({ sequence, event, data, created_at, directory_id, deliveries, changes: fields }) => [
      {
        key: `event ${sequence}`,
        kind: 'event' as const,
        at: created_at,
        title: <EventTitle event={{ event, data }} />,
        state: <Link to={`/directories/${directory_id}/events/${sequence}`}>{timeline.sequence(sequence)}</Link>,
        detail:
          fields === undefined ? null : (
            <Differences rows={Object.entries(fields).map(([name, change]) => ({ name, ...change }))} />
          ),
      },
      ...(deliveries.length === 0
        ? [{ key: `none ${sequence}`, kind: 'delivery' as const, at: null, title: timeline.noDelivery }]
        : deliveries.map((delivery) => ({
            key: `delivery ${sequence} ${delivery.target} ${delivery.attempt} ${delivery.at}`,
            kind: 'delivery' as const,
            at: delivery.at,
            title: `${delivery.target}, ${timeline.attempt(delivery.attempt)}, ${delivery.duration_ms} ms`,
            state: deliveryState(delivery.status, delivery.error),
            detail: <AttemptDetail error={delivery.error} body={delivery.response_body} />,
          }))),
    ]),
  ]
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const number = (value: unknown) => (typeof value === 'number' ? value : null)

/** The number of an event, and whether it was delivered. */
function EventState({ sequence, state }: { readonly sequence: number | null; readonly state: string | undefined }) {
  const texts = useTexts()
  const words = sequence === null ? undefined : texts.timeline.sequence(sequence)
  const form = eventForms[state ?? ''] ?? { tone: 'info', icon: 'event' }
  const label = texts.timeline.states[state as keyof typeof texts.timeline.states]
  return <Status {...form} text={[words, label].filter((word) => word !== undefined).join(', ')} />
}

const eventForms: Readonly<Record<string, { readonly tone: Tone; readonly icon: IconName }>> = {
  delivered: { tone: 'good', icon: 'check' },
  undelivered: { tone: 'warn', icon: 'clock' },
  held: { tone: 'warn', icon: 'hold' },
  dead: { tone: 'bad', icon: 'cross' },
}

function StateAndTrace({
  state,
  to,
  label,
}: {
  readonly state: ReactNode
  readonly to: string
  readonly label: string
}) {
  return (
    <>
      {state} <Link to={to}>{label}</Link>
    </>
  )
}

/** The entries of a timeline as its steps; each links to the trace of its request. */
export function entrySteps(
  entries: readonly TimelineEntry[],
  texts: Texts,
  directoryId: string,
): readonly TimelineStep[] {
  return entries.map((entry, index) => {
    const requestId = text(entry['request_id']) ?? (entry.kind === 'request' ? text(entry['id']) : undefined)
    const step = entryStep(entry, texts, `${index}`)
    if (requestId === undefined) return step
    const trace = { to: `/directories/${directoryId}/requests/${requestId}`, label: texts.timeline.trace }
    return { ...step, state: <StateAndTrace state={step.state} {...trace} /> }
  })
}

function entryStep(entry: TimelineEntry, texts: Texts, index: string): TimelineStep {
  const { at, kind } = entry
  const { timeline } = texts
  const key = `${kind} ${at} ${index}`
  const error = text(entry['error'])
  const sequence = number(entry['sequence'])
  const fields = (entry['changes'] ?? {}) as NonNullable<DirectoryEvent['changes']>
  const rows: Difference[] = Object.entries(fields).map(([name, change]) => ({ name, ...change }))
  if (kind === 'request') return { ...requestStep(entry as unknown as ScimRequest), key }
  if (kind === 'change') {
    if ('before' in entry || 'after' in entry) return changeStep(texts, key, at, entry['before'], entry['after'])
    return {
      key,
      kind,
      at,
      title: text(entry['event']) ?? timeline.changed(Object.keys(fields).join(', ')),
      detail: rows.length === 0 ? null : <Differences rows={rows} />,
    }
  }
  if (kind === 'event') {
    const title = (
      <EventTitle
        event={{ event: text(entry['event']) ?? '', data: (entry['data'] ?? {}) as DirectoryEvent['data'] }}
      />
    )
    const state = <EventState sequence={sequence} state={text(entry['state'])} />
    // The change has a step of its own; only the event says why roles changed.
    const explained = rows.filter(({ because = [] }) => because.length > 0)
    return { key, kind, at, title, state, detail: explained.length === 0 ? null : <Differences rows={explained} /> }
  }
  const attempt = number(entry['attempt'])
  const took = number(entry['duration_ms'])
  const parts = [
    text(entry['target']) ?? text(entry['event']),
    attempt === null ? undefined : timeline.attempt(attempt),
    took === null ? undefined : `${took} ms`,
    sequence === null ? undefined : timeline.sequence(sequence),
  ]
  return {
    key,
    kind,
    at,
    title: parts.filter((part) => part !== undefined).join(', '),
    state: deliveryState(number(entry['status']), error ?? null),
    detail: <AttemptDetail error={error ?? null} body={text(entry['response_body']) ?? null} />,
  }
}

import { ActionIcon, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import type { IconName } from './icons.tsx'
import { Icon } from './icons.tsx'
import { firstLines, ShowMore } from './show-more.tsx'

interface EditableListProps<T> {
  /** The name of the items in the list. */
  readonly label: string
  readonly items: readonly T[]
  /** The name of an item, for the labels of its buttons. */
  readonly nameOf: (item: T, index: number) => string
  readonly onChange: (items: readonly T[]) => void
  /** The label of the button that adds an item, and the new item. */
  readonly addLabel: string
  readonly newItem: () => T
  /** Whether the order means something: items can then be moved. */
  readonly isOrdered?: boolean
  /** The fields of an item. */
  readonly children: (item: T, index: number, change: (item: T) => void) => ReactNode
  /** The line that stands for an item; its fields are then shown for one item at a time. */
  readonly summary?: (item: T, index: number, isOpen: boolean) => ReactNode
  /** An item to open, whose first wrong field gets the focus: again for each new object. */
  readonly wrong?: { readonly index: number } | undefined
  /** The values that the line of an item depends on: unchanged lines are not rendered again. */
  readonly signatureOf?: (item: T, index: number) => string
}

/** A list whose items are added, removed, moved and edited. The focus stays with the item that a button has moved. */
export function EditableList<T>(props: EditableListProps<T>) {
  const { label, items, nameOf, onChange, addLabel, newItem, isOrdered = false, children, summary } = props
  const { signatureOf, wrong } = props
  const [open, setOpen] = useState<number>()
  const [limit, setLimit] = useState(firstLines)
  const [, setFocused] = useState<typeof wrong>()
  const { list, focusNext } = useNextFocus()
  const shown = items.slice(0, limit)
  const actions = useLatest({
    move(from, to) {
      setOpen(open === from ? to : open === to ? from : open)
      onChange(items.with(from, items[to] as T).with(to, items[from] as T))
      focusNext(to, to < from ? 'up' : 'down')
    },
    remove(index) {
      setOpen(open === undefined || open === index ? undefined : open > index ? open - 1 : open)
      onChange(items.toSpliced(index, 1))
      focusNext('add')
    },
    toggle: (index) => setOpen(open === index ? undefined : index),
  })
  useEffect(() => {
    if (wrong === undefined) return
    setOpen(wrong.index)
    setLimit((before) => Math.max(before, wrong.index + 1))
    // The focus moves after a rendering, which an item that is open already would not need.
    setFocused(wrong)
    focusNext(wrong.index, 'wrong')
  }, [wrong, focusNext])
  const append = () => {
    setOpen(items.length)
    setLimit(Math.max(limit, items.length + 1))
    onChange([...items, newItem()])
    focusNext(items.length)
  }
  return (
    <div ref={list}>
      {items.length === 0 ? null : (
        <ol className="edit-list" aria-label={label}>
          {shown.map((item, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity besides their places
              key={index}
              index={index}
              name={nameOf(item, index)}
              isOpen={open === index}
              isOrdered={isOrdered}
              isLast={index === items.length - 1}
              summary={summary && (() => summary(item, index, open === index))}
              signature={signatureOf?.(item, index)}
              fields={() => children(item, index, (changed) => onChange(items.with(index, changed)))}
              actions={actions}
            />
          ))}
        </ol>
      )}
      <ShowMore hidden={items.length - limit} onClick={() => setLimit(items.length)} />
      <Button size="compact-sm" variant="default" leftSection={<Icon name="plus" />} data-item="add" onClick={append}>
        {addLabel}
      </Button>
    </div>
  )
}

interface Actions {
  readonly move: (from: number, to: number) => void
  readonly remove: (index: number) => void
  readonly toggle: (index: number) => void
}

/** The same actions at every rendering, which do what those of the last one do. */
function useLatest(actions: Actions): Actions {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState<Actions>(() => ({
    move: (from, to) => latest.current.move(from, to),
    remove: (index) => latest.current.remove(index),
    toggle: (index) => latest.current.toggle(index),
  }))
  return stable
}

interface LineProps {
  readonly index: number
  readonly name: string
  readonly isOpen: boolean
  readonly isOrdered: boolean
  readonly isLast: boolean
  readonly summary: (() => ReactNode) | undefined
  readonly signature: string | undefined
  readonly fields: () => ReactNode
  readonly actions: Actions
}

/** Returns whether a line is still what it was: its fields, which are those of the present item, are not shown. */
function isSameLine(before: LineProps, after: LineProps): boolean {
  return (
    !before.isOpen &&
    !after.isOpen &&
    after.signature !== undefined &&
    before.signature === after.signature &&
    before.isLast === after.isLast
  )
}

const Line = memo(function Line(props: LineProps) {
  const { index, name, isOpen, isOrdered, isLast, summary, fields, actions } = props
  return (
    <li data-item={index}>
      <div className="edit-line">
        <div className="grow-line">{summary ? summary() : fields()}</div>
        <Tools
          name={name}
          {...(summary && { isOpen, toggle: () => actions.toggle(index) })}
          up={isOrdered && index > 0 ? () => actions.move(index, index - 1) : undefined}
          down={isOrdered && !isLast ? () => actions.move(index, index + 1) : undefined}
          isOrdered={isOrdered}
          remove={() => actions.remove(index)}
        />
      </div>
      {summary && isOpen ? <div className="edit-fields">{fields()}</div> : null}
    </li>
  )
}, isSameLine)

const firstField = (place: string) => `${place} :is(input, select, textarea)`

/** Moves the focus after the next rendering: to a button of an item, to its first field, or to the button that adds. */
function useNextFocus() {
  const list = useRef<HTMLDivElement>(null)
  const next = useRef<readonly string[]>([])
  useEffect(() => {
    const [found] = next.current.flatMap((selector) => list.current?.querySelector<HTMLElement>(selector) ?? [])
    next.current = []
    found?.focus()
  })
  const focusNext = useCallback((item: number | 'add', tool?: 'up' | 'down' | 'wrong') => {
    const place = `:scope > ol > [data-item="${item}"]`
    if (item === 'add') next.current = [':scope > [data-item="add"]']
    else if (tool === undefined) next.current = [firstField(place)]
    else if (tool === 'wrong') next.current = [`${place} [aria-invalid="true"]`, firstField(place)]
    // At the end of the list there is no further move in this direction.
    else next.current = [tool, 'up', 'down'].map((one) => `${place} > .edit-line [data-tool="${one}"]:not(:disabled)`)
  }, [])
  return { list, focusNext }
}

interface ToolsProps {
  readonly name: string
  readonly isOpen?: boolean
  readonly toggle?: () => void
  readonly isOrdered: boolean
  readonly up: (() => void) | undefined
  readonly down: (() => void) | undefined
  readonly remove: () => void
}

function Tools({ name, isOpen = false, toggle, isOrdered, up, down, remove }: ToolsProps) {
  const texts = useTexts()
  const { tools } = texts.roles
  return (
    <Group gap={2} wrap="nowrap" className="edit-tools">
      {toggle === undefined ? null : (
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          aria-label={isOpen ? `${tools.done}: ${name}` : tools.edit(name)}
          onClick={toggle}
        >
          {isOpen ? tools.done : texts.roles.edit}
        </Button>
      )}
      {isOrdered ? (
        <>
          <Tool tool="up" icon="up" label={tools.up(name)} act={up} />
          <Tool tool="down" icon="down" label={tools.down(name)} act={down} />
        </>
      ) : null}
      <Tool tool="remove" icon="trash" label={tools.remove(name)} act={remove} />
    </Group>
  )
}

interface ToolProps {
  readonly tool: string
  readonly icon: IconName
  readonly label: string
  readonly act: (() => void) | undefined
}

function Tool({ tool, icon, label, act }: ToolProps) {
  return (
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      disabled={act === undefined}
      data-tool={tool}
      onClick={act}
    >
      <Icon name={icon} size={14} />
    </ActionIcon>
  )
}

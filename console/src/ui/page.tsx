import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useSectionFocus, useTitleFocus } from './focus.ts'
import { isolated } from './isolated.ts'

interface PageHeaderProps {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly above?: ReactNode
}

/** The title of a page, which is also that of the window. */
export function PageHeader({ title, description, actions, above }: PageHeaderProps) {
  const heading = useTitleFocus()
  useEffect(() => {
    document.title = `${isolated(title)} · Rollcall`
  }, [title])
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md" className="page-header">
      <Stack gap={4} className="page-title">
        {above}
        <Title order={1} id="page-title" ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </Title>
        {description === undefined ? null : (
          <Text size="sm" c="dimmed" maw={680} component="div">
            {description}
          </Text>
        )}
      </Stack>
      {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
    </Group>
  )
}

interface SectionProps {
  /** The anchor of links to the section, without the `#`. */
  readonly id?: string
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page, in a frame. */
export function Section({ id, title, description, actions, children }: SectionProps) {
  const section = useSectionFocus(id)
  const labelled = id === undefined ? {} : { tabIndex: -1, 'aria-label': title }
  return (
    <section className="section" id={id} ref={section} {...labelled}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <div>
          <Title order={2}>
            <bdi>{title}</bdi>
          </Title>
          {description === undefined ? null : (
            <Text size="sm" c="dimmed" maw={640} mt={2} component="div">
              {description}
            </Text>
          )}
        </div>
        {actions === undefined ? null : <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </section>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

/** A name and its value. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function Facts({ children, wide = false }: { readonly children: ReactNode; readonly wide?: boolean }) {
  return <dl className={wide ? 'facts facts-wide' : 'facts'}>{children}</dl>
}

/** A figure that people look at first. */
export function Figure({
  name,
  value,
  note,
}: {
  readonly name: string
  readonly value: ReactNode
  readonly note?: ReactNode
}) {
  return (
    <div className="figure">
      <span className="figure-name">{name}</span>
      <span className="figure-value">{value}</span>
      {note === undefined ? null : <span className="figure-note">{note}</span>}
    </div>
  )
}

import { Alert, Anchor, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api/http.ts'
import { useTexts } from '../texts/texts.ts'
import type { IconName } from './icons.tsx'
import { Icon } from './icons.tsx'

interface EmptyProps {
  readonly icon?: IconName
  readonly title: string
  readonly text?: ReactNode
  readonly action?: ReactNode
  /** Whether it is all that the page shows. */
  readonly isPage?: boolean
}

/** Says that there is nothing, why, and what to do. */
export function Empty({ icon = 'empty', title, text, action, isPage = false }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={isPage ? 80 : 36} px="md" className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <Text fw={600} ta="center" component={isPage ? 'h1' : 'p'} m={0}>
        {title}
      </Text>
      {text === undefined ? null : (
        <Text size="sm" c="dimmed" ta="center" maw={460}>
          {text}
        </Text>
      )}
      {action}
    </Stack>
  )
}

/** Rows of the shape of a list that is loading. */
export function LoadingRows({ rows = 6 }: { readonly rows?: number }) {
  const texts = useTexts()
  return (
    <Stack gap="sm" py="md" role="status" aria-label={texts.states.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
        <Skeleton key={row} height={18} width={`${96 - ((row * 17) % 40)}%`} radius="sm" />
      ))}
    </Stack>
  )
}

/** Why something could not be read or done, with the request to look for in the log. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: (() => void) | undefined }) {
  const texts = useTexts()
  const { status = 0, requestId } = error instanceof ApiError ? error : {}
  if (status === 403) return <Empty icon="lock" title={texts.states.noPermission} text={error.message} />
  if (status === 404) return <Empty icon="search" title={texts.states.notFound} text={error.message} />
  return (
    <Alert
      color="red"
      icon={<Icon name="warning" size={20} />}
      title={status === 0 ? texts.states.unreachable : texts.states.failed}
      my="md"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{status === 0 ? texts.states.unreachableText : error.message}</Text>
        {requestId === undefined ? null : (
          <Text size="xs">
            {texts.states.requestId} <Code>{requestId}</Code>
          </Text>
        )}
        {retry === undefined ? null : (
          <Button size="xs" variant="default" leftSection={<Icon name="refresh" />} onClick={retry}>
            {texts.states.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

interface QueryLike<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly isPending: boolean
  refetch(): unknown
}

interface LoadedProps<T> {
  readonly query: QueryLike<T>
  readonly loading?: ReactNode
  readonly children: (data: T) => ReactNode
}

/** Shows the result of a query; until then a skeleton, or the error. */
export function Loaded<T>({ query, loading = <LoadingRows />, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />
  return loading
}

/** A link to the page that explains a term or a setting. */
export function HelpLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Anchor href={href} size="sm" target="_blank" rel="noreferrer">
      <Group gap={4} component="span" wrap="nowrap" display="inline-flex">
        {children} <Icon name="external" size={12} />
      </Group>
    </Anchor>
  )
}

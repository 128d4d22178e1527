import { Button } from '@mantine/core'
import { Link, useRouteError } from 'react-router'
import { useTexts } from '../../texts/texts.ts'
import { Empty } from '../../ui/states.tsx'

export function PageNotFound() {
  const texts = useTexts()
  return (
    <Empty
      isPage
      icon="search"
      title={texts.states.pageNotFound}
      text={texts.states.pageNotFoundText}
      action={
        <Button component={Link} to="/" variant="default" size="sm">
          {texts.shell.overview}
        </Button>
      }
    />
  )
}

/** Shown when a page throws, or when its files are gone because the service was updated. */
export function PageError() {
  const texts = useTexts()
  const error = useRouteError()
  return (
    <Empty
      isPage
      icon="warning"
      title={texts.states.crashed}
      text={error instanceof Error ? error.message : String(error)}
      action={
        <Button variant="default" size="sm" onClick={() => window.location.reload()}>
          {texts.states.reload}
        </Button>
      }
    />
  )
}

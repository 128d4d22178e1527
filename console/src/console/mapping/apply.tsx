import { Button, List } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '../../api/http.ts'
import { withQuery } from '../../api/http.ts'
import { dsync, send, useAction } from '../../api/queries.ts'
import type { MappingPreview } from '../../api/types.ts'
import type { Texts } from '../../texts/en.ts'
import { useTexts } from '../../texts/texts.ts'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/states.tsx'
import type { MappingDocument } from './document.ts'
import type { MappingState } from './place.tsx'
import { usePlace } from './place.tsx'
import { readPreview } from './use-preview.ts'

interface ApplyProps {
  readonly document: MappingDocument | undefined
  /** The version that the draft replaces. */
  readonly version: number
  /** Whether to ask at once, as for a version that is restored. */
  readonly asksAtOnce: boolean
  readonly onApplied: () => void
  /** Called with what is wrong with the draft. */
  readonly onRefused: (problems: ApiError['problems']) => void
}

/** Describes the change, in sentences. */
export function consequencesOf(preview: MappingPreview, texts: Texts['roles']): readonly string[] {
  const { roles = {}, attributes = {}, warnings = [] } = preview
  const shortages = warnings.filter(({ code }) => code === 'too-few-users')
  return [
    changesText(preview, texts),
    ...Object.entries(attributes).map(([name, users]) => texts.attributeChanges(name, users)),
    ...(Object.values(roles).some(({ lose }) => lose > 0) ? [texts.losing] : []),
    ...shortages.map(({ message }) => `${message} ${texts.holding}`),
  ]
}

/** How many users gain and lose which roles. */
function changesText({ changed = 0, evaluated = 0, roles = {} }: MappingPreview, texts: Texts['roles']): string {
  if (changed === 0) return texts.changes(0, evaluated)
  return texts.summary(
    changed,
    Object.entries(roles).map(([role, { gain, lose }]) => ({ role, gain, lose })),
  )
}

/** Returns whether somebody has to confirm it: a user loses a role, or too few users would keep one. */
export function needsConsent({ roles = {}, warnings = [] }: MappingPreview): boolean {
  return Object.values(roles).some(({ lose }) => lose > 0) || warnings.some(({ code }) => code === 'too-few-users')
}

/** Applies the draft. It looks once more at what that does to the users now, and asks if a user loses a role. */
export function Apply({ document, version, asksAtOnce, onApplied, onRefused }: ApplyProps) {
  const texts = useTexts()
  const place = usePlace()
  const [question, setQuestion] = useState<MappingPreview>()
  const put = useAction(
    async (preview: MappingPreview) => {
      const state = await send<MappingState>('PUT', withQuery(place.path, place.query), { mapping: document, version })
      const message = [texts.roles.applied(state.version), changesText(preview, texts.roles)].join(' ')
      notifications.show({ message, color: 'teal' })
    },
    [dsync],
  )
  const check = useAction(async (asks: boolean) => {
    const { data } = await readPreview(place, document, { pageLimit: 1 })
    if (asks || needsConsent(data)) setQuestion(data)
    else put.mutate(data, { onSuccess: onApplied })
  }, [])
  const hasAsked = useRef(false)
  useEffect(() => {
    if (!asksAtOnce || hasAsked.current) return
    hasAsked.current = true
    check.mutate(true)
  }, [asksAtOnce, check.mutate])
  const close = () => {
    setQuestion(undefined)
    put.reset()
  }
  const error = check.error ?? put.error
  return (
    <>
      <Button
        size="xs"
        disabled={document === undefined}
        loading={check.isPending || put.isPending}
        onClick={() => check.mutate(false, { onError: ({ problems }) => onRefused(problems) })}
      >
        {texts.roles.apply}
      </Button>
      {error === null || question !== undefined || isShownElsewhere(error.status) ? null : <Failure error={error} />}
      <Dialog opened={question !== undefined} onClose={close} title={texts.roles.applyTitle} centered>
        {question === undefined ? null : (
          <DialogForm
            label={texts.roles.apply}
            isDangerous={needsConsent(question)}
            isPending={put.isPending}
            error={put.error !== null && put.error.status !== 409 ? put.error : null}
            submit={() =>
              put.mutate(question, {
                onSuccess: onApplied,
                // The page says that somebody else has changed it.
                onError: ({ status }) => (status === 409 ? close() : undefined),
              })
            }
            close={close}
          >
            <List size="sm" spacing={6}>
              {consequencesOf(question, texts.roles).map((sentence) => (
                <List.Item key={sentence}>{sentence}</List.Item>
              ))}
            </List>
          </DialogForm>
        )}
      </Dialog>
    </>
  )
}

/** Shows no problems of the draft, which are at its parts, and no change by another admin, which is above it. */
function isShownElsewhere(status: number): boolean {
  return status === 400 || status === 409
}

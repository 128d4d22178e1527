import { Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useBlocker } from 'react-router'
import { useTexts } from '../../texts/texts.ts'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { Apply } from './apply.tsx'
import { Conflict } from './conflict.tsx'
import type { MappingDocument } from './document.ts'
import { readDraft, textOf } from './draft.ts'
import { DraftSection } from './draft-section.tsx'
import type { MappingState } from './place.tsx'
import { usePlace } from './place.tsx'
import { ChangedUsers, PreviewNumbers } from './preview.tsx'
import type { Problem, Wrong } from './problems.ts'
import { firstWrong, placeRemarks } from './problems.ts'
import { usePreview } from './use-preview.ts'

/** The initial content of the editor. */
export interface Beginning {
  readonly document: MappingDocument
  /** The version that the draft replaces. */
  readonly version: number
  /** The version that is restored. */
  readonly restores?: number
}

interface EditorProps {
  readonly beginning: Beginning
  /** The mapping in effect now; another admin may have changed it. */
  readonly inEffect: MappingState
  readonly begin: (beginning: Beginning) => void
  readonly close: () => void
}

/** A draft of the mapping, with what it would do beside it. Its only state is the text of the JSON; the form reads and writes that. */
export function Editor({ beginning, inEffect, begin, close }: EditorProps) {
  const texts = useTexts()
  const place = usePlace()
  const [text, setText] = useState(() => textOf(beginning.document))
  const [version, setVersion] = useState(beginning.version)
  const preview = usePreview(place, text)
  const draft = readDraft(text)
  const { document } = draft
  // Problems name rules by their places, which may be others now; warnings name them by their ids, and stay until the next answer.
  const problems = preview.isUpdating ? [] : (preview.error?.problems ?? [])
  const remarks = placeRemarks(document ?? {}, problems, preview.numbers?.warnings ?? [], texts.roles)
  const [wrong, setWrong] = useState<Wrong>()
  const showWrong = (found: readonly Problem[]) =>
    setWrong(firstWrong(document ?? {}, placeRemarks(document ?? {}, found, [], texts.roles)))
  return (
    <Stack gap="lg">
      <LeavingQuestion isChanged={text !== textOf(beginning.document)} />
      {version === inEffect.version ? null : (
        <Conflict
          inEffect={inEffect}
          document={document}
          takeTheirs={() => begin({ document: inEffect.mapping ?? {}, version: inEffect.version })}
          keepMine={() => setVersion(inEffect.version)}
        />
      )}
      <div className="mapping-editor">
        <DraftSection
          text={text}
          setText={setText}
          draft={draft}
          remarks={remarks}
          wrong={wrong}
          onAdd={() => setWrong(undefined)}
          restores={beginning.restores}
          discard={close}
        />
        <section className="section preview" aria-labelledby="preview-title">
          <Group justify="space-between" mb="xs">
            <Title order={2} id="preview-title">
              {texts.roles.preview}
            </Title>
            <Apply
              document={document}
              version={version}
              asksAtOnce={beginning.restores !== undefined}
              onApplied={close}
              onRefused={showWrong}
            />
          </Group>
          <Stack gap="xs">
            <PreviewNumbers preview={preview} remarks={remarks} />
          </Stack>
        </section>
      </div>
      {preview.users.length === 0 ? null : (
        <Section title={texts.roles.changedUsers}>
          <div className="preview-numbers" data-updating={preview.isUpdating}>
            <ChangedUsers preview={preview} />
          </div>
        </Section>
      )}
    </Stack>
  )
}

/** Asks whoever follows a link away from a changed draft. */
function LeavingQuestion({ isChanged }: { readonly isChanged: boolean }) {
  const texts = useTexts()
  const { state, proceed, reset } = useBlocker(isChanged)
  const close = () => reset?.()
  return (
    <Dialog opened={state === 'blocked'} onClose={close} title={texts.roles.leaveTitle} centered>
      <DialogForm
        label={texts.roles.leave}
        isDangerous
        isPending={false}
        error={null}
        submit={() => proceed?.()}
        close={close}
      >
        <Text size="sm">{texts.roles.leaveText}</Text>
      </DialogForm>
    </Dialog>
  )
}

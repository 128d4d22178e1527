import { Alert, Button, Checkbox, SegmentedControl, Stack, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { useProblemFocus } from '../../ui/focus.ts'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Section } from '../../ui/page.tsx'
import { AttributeList } from './attribute-fields.tsx'
import type { MappingDocument } from './document.ts'
import { ruleIds, rulesOf } from './document.ts'
import type { Draft } from './draft.ts'
import { textOf } from './draft.ts'
import { usePlace } from './place.tsx'
import type { Remark, Remarked, Remarks, Wrong } from './problems.ts'
import { RoleSettings } from './role-settings.tsx'
import { RuleList } from './rule-fields.tsx'
import { RemarkList } from './rule-line.tsx'

interface DraftSectionProps {
  readonly text: string
  readonly setText: (text: string) => void
  readonly draft: Draft
  readonly remarks: Remarks
  readonly wrong: Wrong | undefined
  /** Called when a part was added: what is wrong with the new one is not said yet. */
  readonly onAdd: () => void
  readonly restores: number | undefined
  readonly discard: () => void
}

/** The draft as a form, or as its JSON. */
export function DraftSection(props: DraftSectionProps) {
  const { text, setText, draft, remarks, wrong, onAdd, restores, discard } = props
  const texts = useTexts()
  const [view, setView] = useState<'form' | 'json'>('form')
  return (
    <Section
      title={texts.roles.draft}
      description={restores === undefined ? texts.roles.draftText : texts.roles.restoring(restores)}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label={texts.roles.draft}
            value={view}
            onChange={(value) => setView(value === 'json' ? 'json' : 'form')}
            data={(['form', 'json'] as const).map((value) => ({ value, label: texts.roles[value] }))}
          />
          <Button size="xs" variant="default" onClick={discard}>
            {texts.roles.discard}
          </Button>
        </>
      }
    >
      {view === 'json' ? (
        <JsonView text={text} setText={setText} draft={draft} remarks={remarks} />
      ) : draft.document === undefined ? (
        <NoForm draft={draft} showJson={() => setView('json')} />
      ) : (
        <FormView
          document={draft.document}
          remarks={remarks}
          wrong={wrong}
          change={(document) => {
            if (partsOf(document) > partsOf(draft.document ?? {})) onAdd()
            setText(textOf(document))
          }}
        />
      )}
    </Section>
  )
}

function problemText({ problem }: Draft, texts: ReturnType<typeof useTexts>['roles']): string | undefined {
  if (problem === undefined) return undefined
  return problem.at === undefined ? texts.noJson(problem.message ?? '') : texts.noForm(problem.at)
}

interface JsonViewProps {
  readonly text: string
  readonly setText: (text: string) => void
  readonly draft: Draft
  readonly remarks: Remarks
}

function JsonView({ text, setText, draft, remarks }: JsonViewProps) {
  const texts = useTexts()
  return (
    <Stack gap="sm">
      <JsonText text={text} setText={setText} draft={draft} />
      <RemarkList remarks={allRemarks(draft, remarks, texts.roles)} />
    </Stack>
  )
}

/** Lists the problems of the parts of a draft, each with the name of its part. Warnings have the name of their rule already. */
function allRemarks(
  { document = {} }: Draft,
  { rules, attributes, others }: Remarks,
  texts: ReturnType<typeof useTexts>['roles'],
): readonly Remark[] {
  const ids = ruleIds(document)
  const named = (name: string, remarks: readonly Remark[]) =>
    remarks.map((one) => (one.isWarning ? one : { ...one, text: `${name}: ${one.text}` }))
  return [
    ...others.filter(({ isWarning }) => !isWarning),
    ...[...rules].flatMap(([index, remarks]) => named(texts.ruleNamed(ids[index] ?? String(index)), remarks)),
    ...[...attributes].flatMap(([name, remarks]) => named(texts.attributeNamed(name), remarks)),
  ]
}

function JsonText({ text, setText, draft }: Omit<JsonViewProps, 'remarks'>) {
  const texts = useTexts()
  return (
    <Textarea
      label={texts.roles.jsonLabel}
      classNames={{ input: 'code-input' }}
      autosize
      minRows={12}
      maxRows={32}
      spellCheck={false}
      value={text}
      error={problemText(draft, texts.roles)}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}

function NoForm({ draft, showJson }: { readonly draft: Draft; readonly showJson: () => void }) {
  const texts = useTexts()
  return (
    <Alert color="yellow" icon={<Icon name="warning" size={20} />} title={problemText(draft, texts.roles)}>
      <Button size="xs" variant="default" onClick={showJson}>
        {texts.roles.toJson}
      </Button>
    </Alert>
  )
}

/** The number of rules and attributes. */
function partsOf(document: MappingDocument): number {
  return rulesOf(document).length + Object.keys(document.attributes ?? {}).length
}

function FormView({ document, remarks, wrong, change }: Remarked) {
  const texts = useTexts()
  const others = remarks.others.filter(({ field, isWarning }) => field === undefined && !isWarning)
  const form = useProblemFocus<HTMLDivElement>(wrong?.list === 'others' ? wrong : null)
  return (
    <Stack gap="lg" ref={form}>
      <RemarkList remarks={others} />
      <Extension document={document} change={change} />
      <div>
        <Title order={3} mb="xs">
          {texts.roles.rules}
        </Title>
        <RuleList document={document} remarks={remarks} wrong={wrong} change={change} />
      </div>
      <RoleSettings document={document} remarks={remarks} wrong={wrong} change={change} />
      <div>
        <Title order={3} mb="xs">
          {texts.roles.attributes}
        </Title>
        <AttributeList document={document} remarks={remarks} wrong={wrong} change={change} />
      </div>
    </Stack>
  )
}

/** Shows whether the mapping of a directory is put on top of that of its product. */
function Extension({ document, change }: Pick<Remarked, 'document' | 'change'>) {
  const texts = useTexts()
  const { directory, product } = usePlace()
  if (directory === undefined) return null
  return (
    <Checkbox
      label={texts.roles.extend(isolated(product))}
      description={texts.roles.extendHint}
      checked={document.extends !== undefined}
      onChange={({ currentTarget: { checked } }) =>
        change(checked ? { extends: 'product', ...document } : { ...document, extends: undefined })
      }
    />
  )
}

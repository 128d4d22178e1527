import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ApiError } from '../../api/http.ts'
import { request, withQuery } from '../../api/http.ts'
import { dsync, useRows } from '../../api/queries.ts'
import type { Directory, Explanation } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Copy } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PageHeader, Section } from '../../ui/page.tsx'
import { Empty, Loaded, LoadingRows } from '../../ui/states.tsx'
import { VerdictStatus } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { DirectoryChoice } from '../directory-choice.tsx'
import { entrySteps } from '../steps.tsx'

/** How many directories are asked when none is chosen. */
const maxAsked = 20

interface Answer {
  readonly directory: Directory
  readonly explanation: Explanation
}

async function explain(directory: Directory, subject: string): Promise<Answer> {
  const path = withQuery(`${dsync}/explain`, { directoryId: directory.id, subject })
  return { directory, explanation: (await request<{ data: Explanation }>('GET', path)).data }
}

/** Those that say something, the latest first. */
function useful(answers: readonly Answer[]): readonly Answer[] {
  const known = answers.filter(({ explanation }) => explanation.verdict !== 'never-sent')
  const shown = known.length > 0 || answers.length > 1 ? known : answers
  return shown.toSorted((a, b) => (b.explanation.at ?? '').localeCompare(a.explanation.at ?? ''))
}

/** Why a user or group is as it is, in one directory or in all of them. */
export function ExplainPage() {
  const texts = useTexts()
  const [parameters] = useSearchParams()
  const subject = parameters.get('subject') ?? ''
  const directoryId = parameters.get('directoryId') ?? ''
  const directories = useRows<Directory>(`${dsync}/directories`, { pageLimit: 200 })
  return (
    <>
      <PageHeader title={texts.explain.title} description={texts.explain.description} />
      <Loaded query={directories}>
        {(found) => (
          <>
            <Question key={`${subject} ${directoryId}`} subject={subject} directoryId={directoryId} />
            {subject === '' ? (
              <Empty icon="explain" title={texts.explain.start} text={texts.explain.startText} />
            ) : (
              <Answers asked={found.filter(({ id }) => directoryId === '' || id === directoryId)} subject={subject} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

interface QuestionProps {
  readonly subject: string
  readonly directoryId: string
}

function Question(asked: QuestionProps) {
  const texts = useTexts()
  const [, setParameters] = useSearchParams()
  const [subject, setSubject] = useState(asked.subject)
  const [directoryId, setDirectoryId] = useState(asked.directoryId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setParameters({
      ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
      ...(directoryId === '' ? {} : { directoryId }),
    })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" mb="lg">
        <TextInput
          type="search"
          label={texts.explain.subject}
          placeholder={texts.explain.subjectHint}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
          className="grow"
          autoComplete="off"
        />
        <DirectoryChoice
          label={texts.explain.directory}
          placeholder={texts.explain.anyDirectory}
          value={directoryId}
          onChange={setDirectoryId}
        />
        <Button type="submit" leftSection={<Icon name="explain" />}>
          {texts.explain.ask}
        </Button>
      </Group>
    </form>
  )
}

function Answers({ asked, subject }: { readonly asked: readonly Directory[]; readonly subject: string }) {
  const texts = useTexts()
  const answers = useQuery<readonly Answer[], ApiError>({
    queryKey: ['explain', subject, asked.map(({ id }) => id)],
    queryFn: async () =>
      useful(await Promise.all(asked.slice(0, maxAsked).map((directory) => explain(directory, subject)))),
    refetchInterval: 10_000,
  })
  useEffect(() => {
    document.title = `${subject} · Rollcall`
  }, [subject])
  return (
    <Stack gap="lg" aria-live="polite">
      {asked.length > maxAsked ? <Text size="sm">{texts.explain.tooMany}</Text> : null}
      <Loaded query={answers} loading={<LoadingRows rows={4} />}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="search" title={texts.explain.nothing} text={texts.explain.nothingText} />
          ) : (
            found.map((answer) => <AnswerSection key={answer.directory.id} {...answer} />)
          )
        }
      </Loaded>
    </Stack>
  )
}

function AnswerSection({ directory, explanation }: Answer) {
  const texts = useTexts()
  const { verdict, at, sentence, advice, for_customer: forCustomer, evidence } = explanation
  return (
    <Section
      title={directory.name}
      description={<Link to={`/directories/${directory.id}`}>{`${directory.tenant} · ${directory.product}`}</Link>}
      actions={<VerdictStatus verdict={verdict} />}
    >
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Text size="lg" fw={550} className="sentence">
          {sentence}
        </Text>
        <Copy text={sentence} what={texts.explain.copySentence} />
      </Group>
      {at === null ? null : (
        <Text size="xs" c="dimmed">
          <Time at={at} exact />
        </Text>
      )}
      {advice === '' ? null : (
        <div className="advice">
          <Text size="xs" fw={600} c="dimmed">
            {texts.explain.advice}
          </Text>
          <Text size="sm">{advice}</Text>
        </div>
      )}
      {forCustomer === '' || forCustomer === undefined ? null : (
        <div className="advice">
          <Group gap={4} justify="space-between" wrap="nowrap">
            <Text size="xs" fw={600} c="dimmed">
              {texts.explain.forCustomer}
            </Text>
            <Copy text={forCustomer} what={texts.explain.copySentence} />
          </Group>
          <Text size="sm">{forCustomer}</Text>
        </div>
      )}
      {evidence.length === 0 ? null : (
        <>
          <Text size="xs" fw={600} c="dimmed" mt="md" mb="xs">
            {texts.explain.evidence}
          </Text>
          <Timeline label={texts.explain.evidence} steps={entrySteps(evidence, texts, directory.id)} />
        </>
      )}
    </Section>
  )
}

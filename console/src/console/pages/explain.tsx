import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ApiError } from '../../api/http.ts'
import { request, withQuery } from '../../api/http.ts'
import { dsync, useData } from '../../api/queries.ts'
import type { Directory, Explanation, SearchHit } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Copy } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Name } from '../../ui/name.tsx'
import { PageHeader, Section } from '../../ui/page.tsx'
import { Empty, Loaded, LoadingRows } from '../../ui/states.tsx'
import { VerdictStatus } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { AdvisedAction } from '../advised-action.tsx'
import { DirectoryChoice } from '../directory-choice.tsx'
import { hitDetails, search } from '../search-combobox.tsx'
import { entrySteps } from '../steps.tsx'
import { TenantLink } from '../tenant-link.tsx'

interface Asked {
  readonly subject: string
  /** Empty: every directory. */
  readonly directoryId: string
}

/** Why a user or group is as it is, in one directory or in all of them. */
export function ExplainPage() {
  const texts = useTexts()
  const [parameters] = useSearchParams()
  const asked = { subject: parameters.get('subject') ?? '', directoryId: parameters.get('directoryId') ?? '' }
  return (
    <>
      <PageHeader title={texts.explain.title} description={texts.explain.description} />
      <Question key={`${asked.subject} ${asked.directoryId}`} {...asked} />
      {asked.subject === '' ? (
        <Empty icon="explain" title={texts.explain.start} text={texts.explain.startText} />
      ) : (
        <Answers {...asked} />
      )}
    </>
  )
}

function Question(asked: Asked) {
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
      <Group align="flex-end" gap="sm" mb="sm">
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

/** Says that only one directory is asked, if so, and offers to ask all. */
function OnlyDirectory({ id, subject }: { readonly id: string; readonly subject: string }) {
  const texts = useTexts()
  const { data: directory } = useData<Directory>(`${dsync}/${id}`, {}, { enabled: id !== '' })
  if (id === '') return null
  return (
    <Group gap="xs" mb="md">
      <Text size="sm">
        {texts.explain.onlyIn} <bdi>{directory?.name ?? id}</bdi>
      </Text>
      <Link to={`/explain?${new URLSearchParams({ subject })}`}>{texts.explain.askAll}</Link>
    </Group>
  )
}

function Answers({ subject, directoryId }: Asked) {
  const texts = useTexts()
  const query = { subject, ...(directoryId === '' ? {} : { directoryId }) }
  const answer = useQuery<Explanation, ApiError>({
    queryKey: ['explain', query],
    queryFn: async () => (await request<{ data: Explanation }>('GET', withQuery(`${dsync}/explain`, query))).data,
    refetchInterval: 10_000,
  })
  const matches = useQuery({
    queryKey: ['search', query],
    queryFn: () => search({ q: subject, directoryId }, maxMatches),
  })
  useEffect(() => {
    document.title = `${isolated(subject)} · Rollcall`
  }, [subject])
  return (
    <Stack gap="lg" aria-live="polite">
      <Loaded query={answer} loading={<LoadingRows rows={4} />}>
        {(explanation) => {
          const known = new Set(explanation.candidates.map(({ id }) => id))
          const others = (matches.data?.hits ?? []).filter(({ id }) => !known.has(id))
          if (known.size === 0 && matches.isPending) return <LoadingRows rows={4} />
          return (
            <>
              <OnlyDirectory id={directoryId} subject={explanation.subject?.name ?? subject} />
              {known.size === 0 && others.length > 0 ? null : <AnswerSection explanation={explanation} />}
              {explanation.candidates.length > 1 ? <Candidates {...explanation} /> : null}
              {others.length === 0 ? null : (
                <Matches hits={others} hasMore={matches.data?.hasMore} areOthers={known.size > 0} />
              )}
              <Text size="xs" c="dimmed">
                {texts.explain.searched(explanation.searched)}
              </Text>
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}

/** The most that is shown of what the beginning of a name finds. */
const maxMatches = 50

interface MatchesProps {
  readonly hits: readonly SearchHit[]
  readonly hasMore: boolean | undefined
  readonly areOthers: boolean
}

/** Whom the beginning of a name finds, as the suggestions do; each as a link to what is known about them. */
function Matches({ hits, hasMore = false, areOthers }: MatchesProps) {
  const texts = useTexts()
  const arePeople = hits.every(({ type }) => type === 'user')
  return (
    <Section title={texts.explain.matches(hits.length, { hasMore, areOthers, arePeople })}>
      <ul className="reasons">
        {hits.map((hit) => {
          const { type, id, name, directory_id: directoryId } = hit
          const question = `/explain?${new URLSearchParams({ directoryId, subject: id })}`
          return (
            <li key={`${directoryId} ${id}`}>
              <Group gap="0 12px">
                <Link to={type === 'directory' ? `/directories/${id}` : question}>
                  <Name>{name}</Name>
                </Link>
                <Text size="sm" c="dimmed">
                  {hitDetails(hit, texts)}
                </Text>
              </Group>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** The users and groups that the question may mean, each as a link to what is known about it. */
function Candidates({ candidates, has_more_candidates: hasMore, subject: main }: Explanation) {
  const texts = useTexts()
  return (
    <Section title={texts.explain.candidates} description={texts.explain.candidatesText(candidates.length - 1)}>
      <ul className="reasons">
        {candidates.map(({ type, id, name, directory, verdict, at }) => (
          <li key={`${directory.id} ${type} ${id ?? name}`}>
            <Group gap="sm">
              <Link
                to={`/explain?${new URLSearchParams({ directoryId: directory.id, subject: id ?? name })}`}
                {...(main !== null && main.id === id ? { 'aria-current': true as const } : {})}
              >
                <Name>{name}</Name>
              </Link>
              {type === null ? null : <Text size="sm">{texts.explain.types[type]}</Text>}
              <Text size="sm" c="dimmed">
                <Name>{directory.name}</Name> · <TenantLink tenant={directory.tenant} /> ·{' '}
                <Name>{directory.product}</Name>
              </Text>
              {verdict === null ? null : <VerdictStatus verdict={verdict} />}
              {at === null ? null : (
                <Text size="xs" c="dimmed">
                  <Time at={at} />
                </Text>
              )}
            </Group>
          </li>
        ))}
      </ul>
      {hasMore ? <Text size="sm">{texts.explain.moreCandidates}</Text> : null}
    </Section>
  )
}

function AnswerSection({ explanation }: { readonly explanation: Explanation }) {
  const texts = useTexts()
  const { verdict, at, sentence, advice, action, for_customer: forCustomer, evidence, directory } = explanation
  return (
    <Section
      title={directory?.name ?? texts.explain.nowhere}
      description={
        directory === null ? undefined : (
          <>
            <TenantLink tenant={directory.tenant} /> ·{' '}
            <Link to={`/directories/${directory.id}`}>
              <Name>{directory.product}</Name>
            </Link>
          </>
        )
      }
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
          {action === null ? null : <AdvisedAction {...action} />}
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
      {directory === null || evidence.length === 0 ? null : (
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

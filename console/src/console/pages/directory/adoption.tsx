import { Alert, Button, FileButton, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import type { InfiniteData } from '@tanstack/react-query'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ApiError, basePath, request, withQuery } from '../../../api/http.ts'
import { send, useAction, useData } from '../../../api/queries.ts'
import type { Adoption, AdoptionEntry, AppliedAdoption, Hold } from '../../../api/types.ts'
import { adoptionTexts } from '../../../texts/adoption.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Value } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Name } from '../../../ui/name.tsx'
import { Figure, Section } from '../../../ui/page.tsx'
import { Empty, Failure, Loaded } from '../../../ui/states.tsx'
import { PagedTable } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { useMayWrite } from '../../session.tsx'
import { useDirectory, useDirectoryPath } from './directory.tsx'

type Kind = AdoptionEntry['kind']
const kinds = ['link', 'conflict', 'create', 'unmatched', 'linked'] as const satisfies readonly Kind[]

/** The number of links of a plan that was applied, or that it was not, as the plan has changed. */
type Outcome = number | 'changed' | undefined

interface Page {
  readonly data: Adoption
  readonly pageToken?: string
}

/** Reads the plan, with the entries of one kind page by page. Nothing else asks for it: the first page makes the service read the whole plan. */
function usePlan(kind: Kind) {
  const path = `${useDirectoryPath()}/adoption`
  const query = { kind, pageLimit: 50 }
  type Pages = InfiniteData<Page, string | undefined>
  const { data, ...plan } = useInfiniteQuery<Page, ApiError, Pages, readonly unknown[], string | undefined>({
    queryKey: [path, query],
    queryFn: ({ pageParam }) => request('GET', withQuery(path, { ...query, pageToken: pageParam })),
    initialPageParam: undefined,
    getNextPageParam: ({ pageToken }) => pageToken,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.data.state === 'applying' ? 2_000 : false),
  })
  const entries = plan.isPlaceholderData ? undefined : data?.pages.flatMap((page) => page.data.entries)
  return { ...plan, data: data?.pages[0]?.data, entries }
}

/** Links the users of the directory to the accounts that the product has already: the list, the plan and its result. */
export function AdoptionPage() {
  const texts = useTexts()
  const chosen = useSearchParams()[0].get('kind')
  const kind = kinds.find((one) => one === chosen) ?? 'link'
  const [outcome, setOutcome] = useState<Outcome>()
  const plan = usePlan(kind)
  const { state, counts } = plan.data ?? {}
  if (state === 'applying' && counts && typeof outcome !== 'number') setOutcome(counts.linked + counts.link)
  const hold = useData<Hold>(`${useDirectoryPath()}/hold`, {}, { every: 5_000 })
  const isHeld = hold.data?.reasons.some(({ reason }) => reason === 'adoption') ?? false
  return (
    <Stack gap="lg">
      <Link to="../users" className="back">
        {texts.users.back}
      </Link>
      {isHeld && state !== 'applying' ? (
        <Alert color="yellow" icon={<Icon name="hold" size={22} />} title={adoptionTexts.held}>
          {adoptionTexts.heldText} <Link to="../hold">{adoptionTexts.release}</Link>
        </Alert>
      ) : null}
      <Loaded query={plan}>
        {(found) => (
          <>
            {outcome === undefined || state === 'applying' ? null : <OutcomeNotice outcome={outcome} />}
            {state === 'none' ? null : <Plan {...{ kind, isHeld, outcome }} plan={found} onOutcome={setOutcome} />}
            {state === 'ready' ? (
              <Section title={adoptionTexts.kinds[kind]} description={adoptionTexts.kindTexts[kind]}>
                <Entries kind={kind} plan={plan} />
              </Section>
            ) : null}
            {state === 'applying' ? null : <List isFirst={state === 'none'} onSent={() => setOutcome(undefined)} />}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function OutcomeNotice({ outcome }: { readonly outcome: number | 'changed' }) {
  return outcome === 'changed' ? (
    <Alert color="yellow" icon={<Icon name="warning" />} role="alert" title={adoptionTexts.changed}>
      {adoptionTexts.changedText}
    </Alert>
  ) : (
    <Alert color="teal" icon={<Icon name="check" />} role="status" title={adoptionTexts.done(outcome)}>
      {adoptionTexts.doneText}
    </Alert>
  )
}

interface PlanProps {
  readonly plan: Adoption
  readonly kind: Kind
  readonly isHeld: boolean
  readonly outcome: Outcome
  readonly onOutcome: (outcome: Outcome) => void
}

/** Shows how many users would be linked and how many not, and links them. Each figure shows the entries of its kind. */
function Plan({ plan, kind, isHeld, outcome, onOutcome }: PlanProps) {
  const { language } = useTexts()
  const path = `${useDirectoryPath()}/adoption`
  // What is applied is the plan that was shown when the question was asked.
  const [asked, setAsked] = useState(plan)
  const { link, conflict, create } = asked.counts
  const apply = useAction(() => send<AppliedAdoption>('POST', `${path}/apply`, { version: asked.version }), [path])
  const forget = useAction(() => send('DELETE', path), [path])
  const mayWrite = useMayWrite()
  const links = typeof outcome === 'number' ? outcome : 0
  const done = Math.max(0, links - plan.counts.link)
  const progress = adoptionTexts.applying(done, links)
  const ask = (
    <Confirm
      label={adoptionTexts.apply(plan.counts.link)}
      icon="link"
      title={`${adoptionTexts.apply(link)}?`}
      consequences={[
        ...(conflict > 0 ? [adoptionTexts.conflictsStay(conflict)] : []),
        ...(create > 0 ? [adoptionTexts.othersStay(create)] : []),
        isHeld ? adoptionTexts.thenSent : adoptionTexts.notNotified,
        adoptionTexts.forgotten,
      ]}
      onAsk={() => setAsked(plan)}
      act={async () => {
        try {
          onOutcome((await apply.mutateAsync(undefined)).links)
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 409)) throw error
          onOutcome('changed')
        }
      }}
    />
  )
  const actions = (
    <>
      {plan.counts.link === 0 ? null : ask}
      <Confirm
        label={adoptionTexts.forget}
        icon="trash"
        title={`${adoptionTexts.forget}?`}
        consequences={[adoptionTexts.forgetText, ...(isHeld ? [adoptionTexts.staysHeld] : [])]}
        dangerous
        act={async () => {
          await forget.mutateAsync(undefined)
          onOutcome(undefined)
        }}
      />
    </>
  )
  const sent = [adoptionTexts.sent(plan.accounts), ' ', <Time key="at" at={plan.sent_at} />]
  return (
    <Section
      title={adoptionTexts.title}
      description={sent}
      actions={mayWrite && plan.state === 'ready' ? actions : null}
    >
      {plan.state === 'ready' ? null : (
        <>
          <Text size="sm" my="xs" role="status">
            {progress}
          </Text>
          <Progress value={(100 * done) / Math.max(links, 1)} aria-label={progress} mb="md" />
        </>
      )}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        {kinds.map((one) => (
          <Link
            key={one}
            to={{ search: `kind=${one}` }}
            replace
            preventScrollReset
            className="figure-card"
            aria-current={one === kind}
            data-tone={one === 'conflict' && plan.counts.conflict > 0 ? 'warn' : undefined}
          >
            <Figure name={adoptionTexts.kinds[one]} value={plan.counts[one].toLocaleString(language)} />
          </Link>
        ))}
      </SimpleGrid>
    </Section>
  )
}

const accountsOf = (entry: AdoptionEntry) =>
  entry.kind === 'conflict' ? entry.account_ids : entry.kind === 'create' ? [] : [entry.account_id]

const usersOf = (entry: AdoptionEntry) =>
  entry.kind === 'conflict' ? entry.users : entry.kind === 'unmatched' ? [] : [entry.user]

/** The entries of one kind: users with their accounts, users or accounts alone, or conflicts and what to do about them. */
function Entries({ kind, plan }: { readonly kind: Kind; readonly plan: ReturnType<typeof usePlan> }) {
  const names = (items: readonly [string, ReactNode][]) => (
    <ul className="names">
      {items.map(([id, item]) => (
        <li key={id}>{item}</li>
      ))}
    </ul>
  )
  const user = ({ id, first_name, last_name, email, user_name }: ReturnType<typeof usersOf>[number]) => (
    <>
      <Link to={`../users/${id}`}>
        <Name>{`${first_name} ${last_name}`.trim() || email || user_name}</Name>
      </Link>
      <div className="line-detail">{user_name}</div>
    </>
  )
  const why = (entry: AdoptionEntry) => {
    if (entry.kind !== 'conflict') return entry.kind === 'link' ? adoptionTexts.matches[entry.by] : null
    const { title, advice } = adoptionTexts.conflicts[entry.reason]
    return (
      <>
        <strong>{title}</strong>
        <div className="line-detail">{advice}</div>
      </>
    )
  }
  const users = {
    title: adoptionTexts.user,
    cell: (entry: AdoptionEntry) => names(usersOf(entry).map((one) => [one.id, user(one)])),
  }
  const accounts = {
    title: adoptionTexts.account,
    cell: (entry: AdoptionEntry) => names(accountsOf(entry).map((id) => [id, <Name key={id}>{id}</Name>])),
  }
  return (
    <PagedTable
      label={adoptionTexts.kinds[kind]}
      query={{
        ...plan,
        data: plan.entries && Object.assign(plan.entries, { total: plan.data?.counts[kind] }),
        async fetchNextPage() {
          const { error } = await plan.fetchNextPage()
          // Another list was sent since the first page.
          if (error?.status === 409) void plan.refetch()
        },
      }}
      keyOf={(entry) => JSON.stringify([accountsOf(entry), usersOf(entry).map(({ id }) => id)])}
      columns={[
        ...(kind === 'unmatched' ? [] : [users]),
        ...(kind === 'create' ? [] : [accounts]),
        ...(kind === 'link' || kind === 'conflict' ? [{ title: adoptionTexts.why[kind], cell: why }] : []),
      ]}
      empty={<Empty icon="check" title={adoptionTexts.none} />}
    />
  )
}

/** One account, as the list has it. */
const example = '{"account_id": "acct_8231", "external_id": "00u1", "user_name": "maya", "email": "maya@acme.example"}'

/** Returns the file with its content type: an array begins with a bracket, a list of lines does not. */
async function withType(file: File): Promise<Blob> {
  const isArray = (await file.slice(0, 1_000).text()).trimStart().startsWith('[')
  return file.slice(0, file.size, isArray ? 'application/json' : 'application/x-ndjson')
}

interface ListProps {
  readonly isFirst: boolean
  readonly onSent: () => void
}

/** Takes a list as a file. The first one is described, with the command that sends it from a terminal. */
function List({ isFirst, onSent }: ListProps) {
  const { shell } = useTexts()
  const mayWrite = useMayWrite()
  const { id } = useDirectory()
  const path = `${useDirectoryPath()}/adoption`
  const [file, setFile] = useState<File | null>(null)
  const upload = useAction(async (chosen: File) => send('POST', path, await withType(chosen)), [path])
  const choose = (chosen: File | null) => {
    upload.reset()
    setFile(chosen)
  }
  const onSuccess = () => {
    choose(null)
    onSent()
  }
  const service = window.location.origin + basePath()
  return (
    <Section
      title={isFirst ? adoptionTexts.title : adoptionTexts.another}
      description={isFirst ? adoptionTexts.text : adoptionTexts.anotherText}
    >
      <Stack gap="sm">
        {isFirst ? (
          <>
            <Text size="sm">{adoptionTexts.format}</Text>
            <Value name={adoptionTexts.example} value={example} />
          </>
        ) : null}
        {mayWrite ? (
          <Group gap="sm">
            <FileButton onChange={choose}>
              {(props) => (
                <Button {...props} variant="default" size="xs">
                  {adoptionTexts.choose}
                </Button>
              )}
            </FileButton>
            <Text size="sm" role="status">
              {file === null ? adoptionTexts.noFile : adoptionTexts.file(file.name, file.size)}
            </Text>
            {file === null ? null : (
              <Button size="xs" loading={upload.isPending} onClick={() => upload.mutate(file, { onSuccess })}>
                {adoptionTexts.send}
              </Button>
            )}
          </Group>
        ) : (
          <Text size="sm">{shell.onlyReads}</Text>
        )}
        {upload.error === null ? null : <ListProblem error={upload.error} />}
        {isFirst ? (
          <>
            <Text size="sm">{adoptionTexts.terminal}</Text>
            <Value
              name={adoptionTexts.command}
              value={`npx rollcall adopt plan --directory ${id} --url ${service} --file accounts.ndjson`}
            />
          </>
        ) : null}
      </Stack>
    </Section>
  )
}

/** Says which account of the list is wrong, and what it must have. */
function ListProblem({ error }: { readonly error: ApiError }) {
  if (error.status !== 400) return <Failure error={error} />
  const [, number] = /^(?:After object|Object|Account) (\d+) of the list/.exec(String(error.cause)) ?? []
  const problems = new Set(error.problems.flatMap(({ field }) => adoptionTexts.fieldProblems[field] ?? []))
  return (
    <Alert color="red" icon={<Icon name="warning" size={20} />} role="alert" title={adoptionTexts.refused}>
      {number === undefined ? adoptionTexts.notAList : adoptionTexts.item(Number(number))}{' '}
      {[...problems].join(' ') || adoptionTexts.notAnAccount}
    </Alert>
  )
}

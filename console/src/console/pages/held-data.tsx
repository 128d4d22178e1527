import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ApiError } from '../../api/http.ts'
import type { Person, Places } from '../../api/privacy.ts'
import { erase, exportPerson, privacyPath } from '../../api/privacy.ts'
import { dsync, useAction } from '../../api/queries.ts'
import type { Erasure } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isolated } from '../../ui/isolated.ts'
import { Fact, Facts, Section } from '../../ui/page.tsx'
import { saveFile, saveJson } from '../../ui/save-file.ts'
import { Empty, Failure, Loaded, LoadingRows } from '../../ui/states.tsx'
import { useMayWrite } from '../session.tsx'

/** The number of records that name a person, and what can be done with them. */
export function HeldData({ person }: { readonly person: Person }) {
  const texts = useTexts()
  const [erased, setErased] = useState<Erasure>()
  const held = useQuery<Erasure, ApiError>({
    queryKey: [`${privacyPath}/held`, person],
    queryFn: () => erase(person, { dry_run: true }),
    // Another count after the erasure would find nothing, and say so in place of the result.
    enabled: erased === undefined,
    staleTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  if (erased !== undefined) return <Result erased={erased} />
  return (
    <Section
      title={texts.privacy.held}
      description={texts.privacy.heldText}
      actions={
        <>
          <ExportButton person={person} />
          {held.data !== undefined && isAny(held.data.places) && held.data.blockers?.length === 0 ? (
            <EraseButton person={person} onErased={setErased} />
          ) : null}
        </>
      }
    >
      <Loaded query={held} loading={<LoadingRows rows={3} />}>
        {({ places, blockers = [] }) =>
          isAny(places) ? (
            <>
              {blockers.length === 0 ? null : <Blockers blockers={blockers} />}
              <PlaceCounts places={places} />
            </>
          ) : (
            <Empty icon="search" title={texts.privacy.nothing} text={texts.privacy.nothingText} />
          )
        }
      </Loaded>
    </Section>
  )
}

/** What to do before the person can be erased; each leads to where. */
function Blockers({ blockers }: Required<Pick<Erasure, 'blockers'>>) {
  const { privacy } = useTexts()
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={privacy.first} mb="md">
      {blockers.map(({ reason, directory_id: id, directory_name: name, user_id: userId }) => (
        <div key={`${id} ${userId}`}>
          <Link to={`/directories/${id}/${userId === null ? 'hold' : `users/${userId}`}`}>
            {privacy.blockers[reason](isolated(name))}
          </Link>
        </div>
      ))}
    </Alert>
  )
}

function isAny(places: Places): boolean {
  return Object.values(places).some((count) => count > 0)
}

function PlaceCounts({ places }: { readonly places: Places }) {
  const texts = useTexts()
  return (
    <Facts>
      {Object.entries(texts.privacy.places).map(([place, label]) => (
        <Fact key={place} name={label}>
          {places[place as keyof Places].toLocaleString(texts.language)}
        </Fact>
      ))}
    </Facts>
  )
}

function ExportButton({ person }: { readonly person: Person }) {
  const texts = useTexts()
  const action = useAction(async () => saveFile('personal-data.json', await exportPerson(person)), [])
  return (
    <Stack gap={4} align="flex-end">
      <Button size="xs" variant="default" loading={action.isPending} onClick={() => action.mutate(undefined)}>
        {texts.privacy.export}
      </Button>
      {action.isSuccess ? (
        <Text size="xs" c="dimmed" role="status">
          {texts.privacy.exported}
        </Text>
      ) : null}
      {action.error === null ? null : <Failure error={action.error} />}
    </Stack>
  )
}

interface EraseButtonProps {
  readonly person: Person
  readonly onErased: (erased: Erasure) => void
}

function EraseButton({ person, onErased }: EraseButtonProps) {
  const texts = useTexts()
  const mayWrite = useMayWrite()
  const [reason, setReason] = useState('')
  const action = useAction(
    async () => onErased(await erase(person, reason.trim() === '' ? {} : { reason: reason.trim() })),
    [dsync],
  )
  if (!mayWrite) return null
  return (
    <Confirm
      label={texts.privacy.erase}
      icon="trash"
      title={texts.privacy.eraseTitle(isolated(person.subject))}
      consequences={[
        ...texts.privacy.eraseText,
        <TextInput
          key="reason"
          label={`${texts.privacy.reason} (${texts.forms.optional})`}
          description={texts.privacy.reasonHint}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          autoComplete="off"
        />,
      ]}
      typed={person.subject}
      dangerous
      act={() => action.mutateAsync(undefined)}
    />
  )
}

/** Shows the erased data. The receipt is the only proof, and its key is not shown again. */
function Result({ erased }: { readonly erased: Erasure }) {
  const texts = useTexts()
  return (
    <Section title={texts.privacy.erased}>
      <Alert color="teal" icon={<Icon name="check" />} role="status" mb="md">
        <Group justify="space-between">
          <Text size="sm">{texts.privacy.erasedText}</Text>
          <Button size="xs" onClick={() => saveJson(`erasure-${erased.erasure_id}.json`, erased)}>
            {texts.privacy.receipt}
          </Button>
        </Group>
      </Alert>
      <PlaceCounts places={erased.places} />
    </Section>
  )
}

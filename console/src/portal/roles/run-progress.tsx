import { Progress, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../texts/use-texts.tsx'
import type { RolesRun } from './api.ts'
import { getRun } from './api.ts'

/** How often the page asks for the progress of a run, in milliseconds. */
const progressMs = 1_000

const queryKey = ['roles-run']

/** The run that is to be shown: one that is under way, or the last one that was begun on this page, by giving a role to a group. */
export function useRun() {
  const client = useQueryClient()
  const [groupId, setGroupId] = useState<string>()
  const { data } = useQuery({
    queryKey,
    queryFn: getRun,
    refetchInterval: ({ state: { data: last } }) => (last?.run?.state === 'running' ? progressMs : false),
  })
  const run = data?.run ?? null
  return {
    run: groupId !== undefined || run?.state === 'running' ? run : null,
    /** The group whose role has begun it; undefined if that was not on this page. */
    groupId,
    /** Shows the progress of a run that has begun. */
    begin(begunBy: string, begun: RolesRun): void {
      setGroupId(begunBy)
      client.setQueryData(queryKey, begun)
    },
  }
}

/** Shows the progress of a run, and its changes at the end. */
export function RunProgress({ run }: RolesRun) {
  const { texts } = useTexts()
  if (run === null) return null
  const { state, evaluated, total, changed } = run
  const text = state === 'running' ? texts.roles.running(evaluated, total) : texts.roles.done(changed)
  return (
    <div className="portal-run">
      {state === 'running' ? <Progress value={(100 * evaluated) / Math.max(total, 1)} aria-label={text} /> : null}
      <Text size="sm" role="status">
        {text}
      </Text>
    </div>
  )
}

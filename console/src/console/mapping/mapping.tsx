import { Button, Group, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useData } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Section } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { productMappingPage } from '../product-mapping-link.tsx'
import { useMayWrite } from '../session.tsx'
import type { MappingDocument } from './document.ts'
import type { Beginning } from './editor.tsx'
import { Editor } from './editor.tsx'
import { History } from './history.tsx'
import { InEffect } from './in-effect.tsx'
import './mapping.css'
import type { MappingPlace, MappingState } from './place.tsx'
import { PlaceProvider, usePlace, useSeesProducts } from './place.tsx'

const [runningMs, quietMs] = [1_000, 15_000]

/** The mapping of a directory or product: what is in effect, its editor, and its history. */
export function Mapping({ place }: { readonly place: MappingPlace }) {
  const state = useData<MappingState>(place.path, place.query, {
    every: (last) => (last?.run?.state === 'running' ? runningMs : quietMs),
  })
  return (
    <PlaceProvider value={place}>
      <Loaded query={state}>{(found) => <OneMapping state={found} />}</Loaded>
    </PlaceProvider>
  )
}

function OneMapping({ state }: { readonly state: MappingState }) {
  const [draft, setDraft] = useState<{ readonly beginning: Beginning; readonly number: number }>()
  const begin = (beginning: Beginning) => setDraft((last) => ({ beginning, number: (last?.number ?? 0) + 1 }))
  const { mapping, version } = state
  const part = useFocusOnChange(draft?.number)
  return (
    <Stack gap="lg" ref={part} tabIndex={-1} className="part">
      {draft !== undefined ? (
        <Editor
          key={draft.number}
          beginning={draft.beginning}
          inEffect={state}
          begin={begin}
          close={() => setDraft(undefined)}
        />
      ) : mapping === null ? (
        <NoMapping create={() => begin({ document: newMapping, version })} />
      ) : (
        <InEffect
          state={{ ...state, mapping }}
          edit={() => begin({ document: mapping, version })}
          own={(way) => begin({ document: way === 'extend' ? newExtension : mapping, version })}
        />
      )}
      <History
        inEffect={state}
        restore={({ mapping: restored, version: number }) =>
          begin({ document: restored ?? {}, version, restores: number })
        }
      />
    </Stack>
  )
}

/** A part of the page that gets the focus when the editor appears or disappears, and the button that was pressed with it. */
function useFocusOnChange(draft: number | undefined) {
  const part = useRef<HTMLDivElement>(null)
  const shown = useRef(draft)
  useEffect(() => {
    if (shown.current === draft) return
    shown.current = draft
    part.current?.focus()
  }, [draft])
  return part
}

const newMapping: MappingDocument = { roles: { mode: 'all', rules: [] } }
const newExtension: MappingDocument = { extends: 'product', roles: { rules: [] } }

function NoMapping({ create }: { readonly create: () => void }) {
  const texts = useTexts()
  const { product, directory } = usePlace()
  const mayWrite = useMayWrite()
  const seesProducts = useSeesProducts()
  return (
    <Section title={texts.roles.inEffect}>
      <Empty
        icon="admin"
        title={texts.roles.none}
        text={directory === undefined ? texts.roles.noneOfProduct : texts.roles.noneText}
        action={
          <Group gap="md" justify="center">
            {mayWrite ? (
              <Button size="sm" leftSection={<Icon name="plus" />} onClick={create}>
                {texts.roles.create}
              </Button>
            ) : null}
            {directory !== undefined && seesProducts ? (
              <Link to={productMappingPage(product)}>{texts.roles.ofProduct(product)}</Link>
            ) : null}
          </Group>
        }
      />
    </Section>
  )
}

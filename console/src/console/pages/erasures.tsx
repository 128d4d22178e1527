import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Places } from '../../api/privacy.ts'
import { privacyPath } from '../../api/privacy.ts'
import { useRows } from '../../api/queries.ts'
import type { ListedErasure } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Name } from '../../ui/name.tsx'
import { Section } from '../../ui/page.tsx'
import { saveJson } from '../../ui/save-file.ts'
import { Empty } from '../../ui/states.tsx'
import { PagedTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface ErasuresProps {
  readonly tenant: string
  readonly product: string
}

/** The erasures of a tenant and product, when both are entered. */
export function Erasures(scope: ErasuresProps) {
  const texts = useTexts()
  const [text] = useDebouncedValue(JSON.stringify(scope), 250)
  const { tenant, product }: ErasuresProps = JSON.parse(text)
  return (
    <Section title={texts.privacy.erasures} description={texts.privacy.erasuresText}>
      {tenant === '' || product === '' ? (
        <Empty icon="audit" title={texts.privacy.erasuresOf} />
      ) : (
        <List tenant={tenant} product={product} />
      )}
    </Section>
  )
}

function List(scope: ErasuresProps) {
  const texts = useTexts()
  const erasures = useRows<ListedErasure>(`${privacyPath}/erasures`, { ...scope })
  return (
    <PagedTable
      label={texts.privacy.erasures}
      query={erasures}
      keyOf={({ erasure_id: id }) => id}
      columns={[
        { title: texts.privacy.time, cell: ({ at }) => <Time at={at} /> },
        { title: texts.privacy.who, cell: ({ by }) => <Name>{by.name ?? texts.audit.unknown}</Name> },
        { title: texts.privacy.reason, cell: ({ reason }) => (reason === null ? '–' : <Name>{reason}</Name>) },
        { title: texts.privacy.changed, cell: ({ places }) => texts.privacy.records(sumOf(places)) },
        { title: texts.privacy.receipt, cell: (erasure) => <ReceiptButton erasure={erasure} /> },
      ]}
      empty={<Empty icon="audit" title={texts.privacy.noErasures} />}
    />
  )
}

function sumOf(places: Places): number {
  return Object.values(places).reduce((sum, count) => sum + count, 0)
}

function ReceiptButton({ erasure: { erasure_id, receipt } }: { readonly erasure: ListedErasure }) {
  const texts = useTexts()
  return (
    <Button size="xs" variant="default" onClick={() => saveJson(`erasure-${erasure_id}.json`, { erasure_id, receipt })}>
      {texts.privacy.receipt}
    </Button>
  )
}

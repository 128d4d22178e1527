import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useData } from '../../api/queries.ts'
import { useTexts } from '../../texts/texts.ts'
import { Icon } from '../../ui/icons.tsx'
import { Section } from '../../ui/page.tsx'
import { productMappingPage } from '../product-mapping-link.tsx'
import { useMayWrite } from '../session.tsx'
import type { MappingDocument } from './document.ts'
import { restOf } from './document.ts'
import type { MappingState } from './place.tsx'
import { placeOfProduct, usePlace, useSeesProducts } from './place.tsx'
import { Attributes, Rules } from './rule-lists.tsx'

interface InheritedProps {
  /** Begins a mapping of the directory: on top of that of its product, or with a copy of it. */
  readonly own: (way: 'extend' | 'copy') => void
}

/** Says that the mapping is that of the product, and leads to it. */
export function Inherited({ own }: InheritedProps) {
  const texts = useTexts()
  const { product } = usePlace()
  const mayWrite = useMayWrite()
  const seesProducts = useSeesProducts()
  return (
    <Alert variant="default" icon={<Icon name="link" size={20} />} title={texts.roles.inherited}>
      <Group gap="md">
        {seesProducts ? <Link to={productMappingPage(product)}>{texts.roles.ofProduct(product)}</Link> : null}
        {mayWrite ? (
          <>
            <Button size="xs" onClick={() => own('extend')}>
              {texts.roles.createOwn}
            </Button>
            <Button size="xs" variant="default" onClick={() => own('copy')}>
              {texts.roles.copy}
            </Button>
          </>
        ) : null}
      </Group>
    </Alert>
  )
}

/** Says that the mapping is put on top of that of the product, and leads to that. */
export function Extended() {
  const texts = useTexts()
  const { product } = usePlace()
  const seesProducts = useSeesProducts()
  return (
    <Alert variant="default" icon={<Icon name="link" size={20} />} title={texts.roles.extended}>
      <Group gap="md">
        <Text size="sm">{texts.roles.extendedText}</Text>
        {seesProducts ? <Link to={productMappingPage(product)}>{texts.roles.ofProduct(product)}</Link> : null}
      </Group>
    </Alert>
  )
}

/** Shows the part of the mapping of the product that the extending one does not replace. */
export function FromProduct({ extension }: { readonly extension: MappingDocument }) {
  const texts = useTexts()
  const { product } = usePlace()
  const { path, query } = placeOfProduct(product)
  const state = useData<MappingState>(path, query, { enabled: useSeesProducts() })
  const mapping = state.data?.mapping
  if (!mapping) return null
  const rest = restOf(mapping, extension)
  return (
    <Section title={texts.roles.fromProduct}>
      <Stack gap="lg">
        <Rules mapping={rest} />
        <Attributes mapping={rest} />
      </Stack>
    </Section>
  )
}

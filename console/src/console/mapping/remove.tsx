import { useQuery } from '@tanstack/react-query'
import type { ApiError } from '../../api/http.ts'
import { request, withQuery } from '../../api/http.ts'
import { dsync, send, useAction } from '../../api/queries.ts'
import type { MappingPreview } from '../../api/types.ts'
import { useTexts } from '../../texts/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { isolated } from '../../ui/isolated.ts'
import { consequencesOf } from './apply.tsx'
import type { MappingPlace, MappingState } from './place.tsx'
import { placeOfProduct, usePlace, useSeesProducts } from './place.tsx'
import { readPreview } from './use-preview.ts'

/** Removes the mapping, after it was said what takes its place. */
export function RemoveMapping() {
  const texts = useTexts()
  const { path, query, product, directory } = usePlace()
  const remove = useAction(() => send('DELETE', withQuery(path, query)), [dsync])
  const { removeText } = texts.roles
  return (
    <Confirm
      label={texts.roles.remove}
      icon="trash"
      title={texts.roles.removeTitle}
      consequences={[
        ...(directory === undefined ? removeText.product : removeText.directory(isolated(product))),
        <Effects key="effects" />,
        texts.roles.removeUndo,
      ]}
      dangerous
      act={() => remove.mutateAsync(undefined)}
    />
  )
}

/** The effect of the removal on users: the mapping of the product takes its place, or none. */
async function readEffects(place: MappingPlace): Promise<MappingPreview> {
  const { directory, product } = place
  const next = placeOfProduct(product)
  const { data } =
    directory === undefined
      ? { data: null }
      : await request<{ data: MappingState }>('GET', withQuery(next.path, next.query))
  return (await readPreview(place, data?.mapping ?? {}, { pageLimit: 1 })).data
}

/** The numbers of users who change. Who may not see the mapping of the product is not told. */
function Effects() {
  const texts = useTexts()
  const place = usePlace()
  const seesProducts = useSeesProducts()
  const effects = useQuery<MappingPreview, ApiError>({
    queryKey: [`${place.path}/removal`, place.query],
    queryFn: () => readEffects(place),
    enabled: seesProducts,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (effects.data === undefined) return effects.isFetching ? texts.forms.working : null
  return consequencesOf(effects.data, texts.roles).join(' ')
}

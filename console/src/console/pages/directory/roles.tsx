import { useMemo } from 'react'
import { Mapping } from '../../mapping/mapping.tsx'
import { placeOfDirectory } from '../../mapping/place.tsx'
import { useDirectory } from './directory.tsx'

/** The mapping of the directory: who has which role, and where attributes come from. */
export function RolesPage() {
  const directory = useDirectory()
  const place = useMemo(() => placeOfDirectory(directory), [directory])
  return <Mapping key={directory.id} place={place} />
}
